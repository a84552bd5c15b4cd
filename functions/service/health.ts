/** GET health: whether the service is live, and what it depends on ready. */

import { Type } from 'typebox';
import { type Endpoint, endpointsFor } from '../../shared/http/endpoint.ts';
import { type Dependency, healthOf } from '../../shared/http/health.ts';
import { json } from '../../shared/http/reply.ts';

const dependencyState = Type.Object({
  state: Type.Union([Type.Literal('ready'), Type.Literal('failing')]),
  code: Type.Optional(Type.String({ description: 'Code of the problem.' })),
  detail: Type.Optional(Type.String()),
  since: Type.String({ format: 'date-time', description: 'When this was found out.' }),
  milliseconds: Type.Integer({ description: 'How long it took to find out.' }),
  threshold: Type.Integer({ description: 'How long it takes at most while all is well, in milliseconds.' }),
});

const healthSchema = Type.Object(
  {
    live: Type.Literal(true),
    ready: Type.Boolean(),
    dependencies: Type.Record(Type.String(), dependencyState),
  },
  { $id: 'Health' },
);

/** Creates the endpoint that reports every dependency. */
export function health(dependencies: readonly Dependency[]): Endpoint<undefined> {
  const states = healthOf(dependencies);
  return endpointsFor<undefined>()({
    method: 'GET',
    path: '/health',
    operationId: 'get-health',
    summary: 'Tell whether the service is live and ready',
    description:
      'A dependency that was found ready is not asked again, so probes never keep a serverless database awake.',
    tag: 'Service',
    access: 'public',
    replies: {
      200: { description: 'Live, and ready to answer.', schema: healthSchema },
      503: { description: 'Live, but a dependency fails.', schema: healthSchema },
    },
    async handle() {
      const found = await states();
      const ready = Object.values(found).every(({ state }) => state === 'ready');
      const headers = { 'Cache-Control': 'no-store' };
      return json({ live: true, ready, dependencies: found }, { status: ready ? 200 : 503, headers });
    },
  });
}
