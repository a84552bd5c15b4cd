/** The records API: its authentication, the services of its endpoints, and their list. */

import * as Type from 'typebox';
import { signIn } from '../../../shared/auth/authorization-code.ts';
import type { TokenVerifier } from '../../../shared/auth/token-verifier.ts';
import { type Config, settingGroup } from '../../../shared/config.ts';
import type { Api } from '../../../shared/http/api.ts';
import type { Cors } from '../../../shared/http/cors.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { readInput } from '../../../shared/http/input.ts';
import { problemMediaType, problemReply, problemSchema } from '../../../shared/http/problem.ts';
import type { Reply } from '../../../shared/http/reply.ts';
import type { DatabaseServer } from '../../../shared/sql/databases.ts';
import { ObjectChangeFeed } from '../changes/feed.ts';
import { Objects } from '../objects/find.ts';
import type { KindName } from '../objects/kinds.ts';
import { ObjectSources } from '../objects/source.ts';
import type { RecordsCaller, RecordsService } from '../operations/records-service.ts';
import { hintOfAbsentKind, servedKinds } from '../operations/served-kinds.ts';
import { createAuthentication } from '../sign-in/authenticate.ts';
import { createSignInChallenge } from '../sign-in/sign-in-challenge.ts';
import { UserBindings } from '../users/user-bindings.ts';
import { Users } from '../users/users.ts';
import { withSourceText } from '../wire/source-error-text.ts';
import { authorized } from './authorized.ts';
import { changes } from './changes.ts';
import { customData } from './custom-data.ts';
import { deeds } from './deeds.ts';
import { diaries } from './diaries.ts';
import { documents } from './documents.ts';
import { fieldsEndpoint } from './fields.ts';
import { journalizedCases } from './journalized-cases.ts';
import { referenceData } from './reference-data.ts';

/** Creates what the endpoints of the records API work with. `maxWaiting` callers wait for changes, at most. */
export function createRecordsService(
  config: Config,
  databases: DatabaseServer,
  maxWaiting: number,
): RecordsService {
  return {
    databases,
    objects: new Objects(() => config.OBJECT_TYPES),
    users: new Users(() => config.SERVICE_API_USERNAME),
    bindings: new UserBindings(() => config.BIND_USERS),
    changes: new ObjectChangeFeed(databases, maxWaiting),
    sources: new ObjectSources(),
    served: servedKinds(config),
    showsSourceErrors: () => config.SHOW_SOURCE_ERRORS,
    signIn: () => signIn(config),
    withSignIn: createSignInChallenge(config),
    settingsError: settingGroup(config, [
      'OBJECT_TYPES',
      'OBJECT_METADATA',
      'BIND_USERS',
      'CORS_ORIGINS',
      'SHOW_SOURCE_ERRORS',
    ]).errors[0],
  };
}

const metadataEndpoints: Readonly<Record<KindName, (service: RecordsService) => Endpoint<RecordsCaller>[]>> =
  {
    diary: diaries,
    journalizedCase: journalizedCases,
    deed: deeds,
    document: documents,
  };

function objectMetadata(service: RecordsService): Endpoint<RecordsCaller>[] {
  const { metadata, kindOf } = service.served;
  return metadata.flatMap((name) => {
    const endpoints = [...metadataEndpoints[name](service), fieldsEndpoint(service, name)];
    return kindOf(name).isView ? endpoints.filter(({ method }) => method === 'GET') : endpoints;
  });
}

/** JSON is in UTF-8 anyway; Windows PowerShell 5.1 reads it as Latin-1 where the charset is not said. */
function withCharset(headers: Reply['headers'] = {}): Reply['headers'] {
  if (headers['Content-Type'] !== 'application/json') return headers;
  return { ...headers, 'Content-Type': 'application/json; charset=utf-8' };
}

/** Endpoints without parameters in the query refuse any, as those with some refuse others. */
const noQuery = Type.Object({}, { additionalProperties: false });

/** Creates the records API in its two versions, which serve the same endpoints (docs/records-contract.md, "Versions"). */
export function recordsApi(service: RecordsService, verifier: TokenVerifier, cors: Cors): Api<RecordsCaller> {
  return {
    name: 'records',
    description: 'Cases, deeds and documents with bk-fields, custom data and reference data.',
    notes: 'Records refuse a query parameter that the operation does not list (400).',
    mounts: [{ path: 'v7' }, { path: 'v8.0' }],
    endpoints: [authorized, objectMetadata, customData, referenceData, changes]
      .flatMap((group) => group(service))
      .map((endpoint) => ({ query: noQuery, ...endpoint })),
    examples: async () => (await import('./reply-examples.json', { with: { type: 'json' } })).default,
    hintOfMissing: (path) => hintOfAbsentKind(service.served, path),
    authenticate: createAuthentication(service, verifier),
    readInput,
    seesSources: ({ seesSourceErrors }) => seesSourceErrors,
    errorReply: (error, status, context) =>
      service.withSignIn(problemReply(withSourceText(error, context), status, context)),
    errorSchema: { schema: problemSchema, mediaType: problemMediaType },
    decorateReply: (reply, context) =>
      cors.decorate(
        { ...reply, headers: { 'Cache-Control': 'private, no-cache', ...withCharset(reply.headers) } },
        context,
      ),
    options: cors.options,
  };
}
