/** Reference data: lists for dropdowns, standard ones and those of the customization database. */

import * as Type from 'typebox';
import { CodedError, isCodedError } from '../../../shared/errors.ts';
import { prefers } from '../../../shared/http/accept.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { entityTag } from '../../../shared/http/entity-tag.ts';
import { contentReply, json, RawJson } from '../../../shared/http/reply.ts';
import { pathSegment } from '../../../shared/http/urls.ts';
import type { Database } from '../../../shared/sql/database.ts';
import type { Databases } from '../../../shared/sql/databases.ts';
import { csvMediaType } from '../csv/csv.ts';
import {
  databasesFor,
  endpoint,
  type RecordsCaller,
  type RecordsService,
} from '../operations/records-service.ts';
import { listReferenceData, readReferenceData } from '../reference-data/lists.ts';
import type { User, Users } from '../users/users.ts';
import { bounds } from '../wire/bounds.ts';
import { etagHeader, languageOrCaller, notModifiedReply } from '../wire/schemas.ts';

const linksSchema = Type.Object(
  {
    _links: Type.Array(
      Type.Object({
        href: Type.String({ format: 'uri', description: 'Endpoint that returns the list.' }),
        rel: Type.String({ description: 'Identifier of the list.' }),
        method: Type.Literal('GET'),
      }),
    ),
  },
  { $id: 'ReferenceDataLinks' },
);

const rowsSchema = Type.Array(Type.Object({}, { additionalProperties: true }), {
  $id: 'ReferenceDataRows',
  description: 'One object per row, one property per column of the view.',
});

const identifierOf = (example: string) =>
  Type.Object({
    identifier: Type.String({
      minLength: 1,
      description: 'The part of the name of the view after RefData_; a slash in it is written %252F.',
      examples: [example],
    }),
  });

/** The two places where lists are: the main database holds the standard ones. */
const places = [
  { path: '/reference-data', name: 'standard', id: 'reference-data', database: 'main', example: 'countries' },
  {
    path: '/reference-data/custom',
    name: 'custom',
    id: 'custom-reference-data',
    database: 'customization',
    example: 'priorities',
  },
] as const;

/** Returns the endpoints of reference data. */
export function referenceData(service: RecordsService): Endpoint<RecordsCaller>[] {
  return places.flatMap((place) => [listOf(service, place), rowsOf(service, place)]);
}

function listOf(
  { databases }: RecordsService,
  { path, name, id, database }: (typeof places)[number],
): Endpoint<RecordsCaller> {
  return endpoint({
    method: 'GET',
    path,
    operationId: `list-${id}`,
    bound: bounds.catalog,
    summary: `List the ${name} reference data`,
    tag: 'Reference data',
    access: 'bearer',
    replies: { 200: { description: 'One link per list.', schema: linksSchema } },
    async handle({ link, ...call }) {
      const identifiers = await listReferenceData(databasesFor(databases, call)[database]);
      return json({
        _links: identifiers.map((rel) => ({
          href: link(`${path}/${pathSegment(rel)}`),
          rel,
          method: 'GET',
        })),
      });
    },
  });
}

/** Returns the langID of the rows that a call asks for. */
async function languageOf(
  users: Users,
  main: Database,
  caller: User,
  language: number | 'caller' | undefined,
): Promise<number> {
  // Without the account of the service no call is answered, whichever language it asks for.
  const { langID } = await users.service(main);
  return language === 'caller' ? caller.langID : (language ?? langID);
}

/** Throws an error again; that of a list which is not at an address with the address at which it is. */
async function withPlace(
  error: unknown,
  available: Databases,
  identifier: string,
  database: keyof Databases,
): Promise<never> {
  if (!isCodedError(error, 'reference-data-not-found')) throw error;
  const other = places.find((place) => place.database !== database);
  // Where the other database is away, the list is not here all the same.
  const identifiers = await listReferenceData(available[other?.database ?? database]).catch(
    (unreadable: unknown) => {
      if (isCodedError(unreadable)) throw error;
      throw unreadable;
    },
  );
  if (other === undefined || !identifiers.includes(identifier)) throw error;
  const hint = `It is a ${other.name} list: ${other.path}/${pathSegment(identifier)} has it.`;
  throw new CodedError('reference-data-not-found', error.message, { hint });
}

function rowsOf(
  { databases, users }: RecordsService,
  { path, name, id, database, example }: (typeof places)[number],
): Endpoint<RecordsCaller> {
  return endpoint({
    method: 'GET',
    path: `${path}/{identifier}`,
    operationId: `get-${id}`,
    bound: bounds.referenceData,
    summary: `Read a ${name} reference data list`,
    description:
      "A view with a column langID gives only the rows in the language of the service's own user, or in that of `?language=` (`caller`: that of the caller), without that column. `Accept: text/csv` asks for CSV (RFC 4180) for spreadsheets, in UTF-8 with a byte order mark; a text that a spreadsheet would run as a formula has an apostrophe before it there.",
    tag: 'Reference data',
    access: 'bearer',
    parameters: identifierOf(example),
    query: Type.Object({ language: languageOrCaller }, { additionalProperties: false }),
    problems: {
      404: 'reference-data-not-found',
      500: 'service-account-missing, reference-data-source-failed, custom-source-timeout',
    },
    replies: {
      200: {
        description: 'The rows of the view.',
        schema: rowsSchema,
        otherMediaTypes: { 'text/csv': Type.String() },
        headers: etagHeader,
      },
      304: notModifiedReply,
    },
    async handle({ path: { identifier: wanted }, query: { language }, request, ...call }) {
      const available = databasesFor(databases, call);
      const langID = await languageOf(users, available.main, call.caller.user, language);
      const format = prefers(request.headers, 'text/csv', 'application/json') ? 'csv' : 'json';
      const text = await readReferenceData(available[database], wanted, langID, format).catch(
        (error: unknown) => withPlace(error, available, wanted, database),
      );
      const headers = { ETag: entityTag(text), Vary: 'Accept' };
      return format === 'csv'
        ? contentReply(csvMediaType, text, headers)
        : json(new RawJson(text), { headers });
    },
  });
}
