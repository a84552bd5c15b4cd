/** GET health: whether the service is live, and what it depends on ready. */

import * as Type from 'typebox';
import type { TokenVerifier } from '../../shared/auth/token-verifier.ts';
import { CodedError, isCodedError } from '../../shared/errors.ts';
import { type Endpoint, endpointsFor } from '../../shared/http/endpoint.ts';
import { type Dependency, type DependencyState, detailsOf, healthOf } from '../../shared/http/health.ts';
import { json } from '../../shared/http/reply.ts';
import type { ServiceCaller } from './caller.ts';

const toRoles = 'Shown to callers with a role.';

const state = {
  state: Type.Union([Type.Literal('ready'), Type.Literal('failing')]),
  code: Type.Optional(Type.String({ description: 'Code of the problem.' })),
  detail: Type.Optional(Type.String()),
  since: Type.String({
    format: 'date-time',
    description: 'When it was found to be ready, or to fail: the first time in a row.',
  }),
  milliseconds: Type.Optional(Type.Integer({ description: `How long it took to find out. ${toRoles}` })),
  threshold: Type.Optional(
    Type.Integer({
      description: `How long it takes at most while all is well, in milliseconds. ${toRoles}`,
    }),
  ),
};

const settingProblem = Type.Object({
  setting: Type.String(),
  detail: Type.String({ description: 'What is wrong with it; never its value.' }),
});

/** Returns the schema of a dependency, with the details of all of them. */
function dependencySchema(dependencies: readonly Dependency[]) {
  const details = dependencies.flatMap((dependency) => Object.entries(dependency.details ?? {}));
  const optional = details.map(([name, { schema }]) => [name, Type.Optional(schema)] as const);
  return Type.Object({ ...state, ...Object.fromEntries(optional) });
}

function healthSchema(dependencies: readonly Dependency[]) {
  return Type.Object(
    {
      live: Type.Literal(true),
      ready: Type.Boolean(),
      settings: Type.Optional(
        Type.Array(settingProblem, {
          description:
            'Settings that are missing or unusable. What cannot do without one says so; elsewhere the default counts meanwhile.',
        }),
      ),
      dependencies: Type.Object({}, { additionalProperties: dependencySchema(dependencies) }),
    },
    { $id: 'Health' },
  );
}

export interface HealthOptions {
  readonly dependencies: readonly Dependency[];
  /** The errors of settings that are missing or unusable. */
  readonly settingErrors: readonly CodedError[];
  /** Whether one of them keeps the whole service from answering. */
  readonly isRefusing: boolean;
}

/** Creates the endpoint that reports every dependency, and settings that are wrong. */
export function health({ dependencies, settingErrors, isRefusing }: HealthOptions): Endpoint<ServiceCaller> {
  const settings = settingErrors.flatMap((error) =>
    isCodedError(error, 'configuration') || isCodedError(error, 'database-connection')
      ? [{ setting: error.facts.setting, detail: error.message }]
      : [],
  );
  const states = healthOf(dependencies);
  const schema = healthSchema(dependencies);
  return endpointsFor<ServiceCaller>()({
    method: 'GET',
    path: '/health',
    operationId: 'get-health',
    bound: { product: 'dependencies of the service, each asked once for all callers together', beyond: '' },
    summary: 'Tell whether the service is live and ready',
    description:
      'A dependency that was found ready is not asked again, so probes never keep a serverless database awake. A token with the app role Service.Access or Calendar.Editor shows more of each dependency. One without such a role, or one that is not good, counts as none: this address answers every probe.',
    tag: 'Service',
    access: 'recognized',
    replies: {
      200: { description: 'Live, and ready to answer.', schema },
      503: { description: 'Live, but a dependency fails.', schema },
    },
    async handle({ caller: { seesDetails } }) {
      const [found, details] = await Promise.all([
        states(),
        seesDetails ? detailsOf(dependencies) : undefined,
      ]);
      const entries = Object.entries(found).map(
        ([name, state]) => [name, details ? { ...state, ...details[name] } : publicState(state)] as const,
      );
      const ready = !isRefusing && Object.values(found).every(({ state }) => state === 'ready');
      const headers = { 'Cache-Control': 'no-store' };
      const body = {
        live: true,
        ready,
        ...(settings.length > 0 ? { settings } : {}),
        dependencies: Object.fromEntries(entries),
      };
      return json(body, { status: ready ? 200 : 503, headers });
    },
  });
}

/** What a call that needs the dependency would be answered anyway. */
function publicState({ milliseconds, threshold, ...state }: DependencyState) {
  return state;
}

/** Returns the identity provider as a dependency: its signing keys, which are loaded once. */
export function identityProvider(verifier: Pick<TokenVerifier, 'ready'>): Dependency {
  return {
    name: 'identity-provider',
    check: () => verifier.ready(),
    silent: () =>
      new CodedError(
        'signing-keys-unavailable',
        'Cannot verify tokens: the identity provider does not answer in time.',
      ),
  };
}
