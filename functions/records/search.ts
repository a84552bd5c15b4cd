/** Searches of objects by their bk-fields, one for every kind. */

import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { Reply } from '../../shared/http/reply.ts';
import type { Fields } from '../../shared/records/objects/fields.ts';
import {
  type BkType,
  bkTypes,
  type KindName,
  type ObjectKind,
  objectKinds,
} from '../../shared/records/objects/kinds.ts';
import { searchObjects } from '../../shared/records/objects/search.ts';
import type { Page } from '../../shared/records/objects/store.ts';
import { databasesFor, endpoint, type RecordsCaller, type RecordsService } from './caller.ts';
import { listPage, listReply, oneMore } from './object-lists.ts';
import { bkProperties, bkSchemas, oneDigitNames, paging, tagOf } from './schemas.ts';

type SearchParameters = Page & Fields & { readonly sort?: string; readonly total: boolean };

const totalHeader = {
  'X-Total-Count': {
    description: 'Items on all pages, where `total=true` asks for it.',
    schema: Type.Integer(),
  },
};

/** Creates the endpoint that finds objects of a kind. */
export function searchEndpoint(
  { databases }: RecordsService,
  name: KindName,
  { operationId, defaultLimit, extension }: { operationId: string; defaultLimit: number; extension?: true },
): Endpoint<RecordsCaller> {
  const kind = objectKinds[name];
  const words = kind.collection.replaceAll('-', ' ');
  const reply = listReply(kind);
  return endpoint({
    method: 'GET',
    path: `/${kind.collection}`,
    operationId,
    summary: `Find ${words} by the values of bk-fields`,
    description: `Every condition in the query must hold; without any, all ${words} are listed. A bk-field alone must be equal: \`?bkStr01=north&bkInt02=7\`. In brackets behind its name stands another comparison: \`bkStr01[contains]=ort\`, \`bkStr01[startsWith]=no\` (as the collation of the column compares), and for numbers and dates \`bkInt02[from]=5&bkInt02[to]=9\`, with both ends.`,
    tag: tagOf(kind),
    access: 'bearer',
    ...(extension ? { extension } : {}),
    query: searchQuery(name, defaultLimit),
    problems: { 400: 'invalid-parameters' },
    replies: { 200: { ...reply, headers: { ...reply.headers, ...totalHeader } } },
    async handle({ query, link, request, ...call }) {
      const { limit, offset, sort, total, ...where } = query as unknown as SearchParameters;
      const page = { limit, offset };
      const found = await searchObjects(databasesFor(databases, call).main, kind, {
        where,
        sort: sort?.split(',') ?? [],
        page: oneMore(page),
        total,
      });
      return withTotal(listPage(found.records, page, link(`/${kind.collection}`), request.url), found.total);
    },
  });
}

function withTotal(reply: Reply, total: number | undefined): Reply {
  if (total === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'X-Total-Count': String(total) } };
}

/** What can stand in brackets behind the name of a bk-field. */
export const comparisonsOf: Readonly<Record<BkType, readonly string[]>> = {
  Str: ['contains', 'startsWith'],
  Int: ['from', 'to'],
  Date: ['from', 'to'],
  Float: ['from', 'to'],
};

/** The query of a search by bk-fields: all that is given must hold. */
export function searchQuery(name: KindName, defaultLimit: number): TSchema {
  const kind = objectKinds[name];
  return Type.Object(
    {
      ...paging(defaultLimit),
      sort: Type.Optional(
        Type.String({
          maxLength: 200,
          description:
            'Fields by which the list is sorted, with commas between and `-` before those that descend: `-bkDate01,title`. Without it: in the order of creation.',
        }),
      ),
      total: Type.Boolean({ default: false, description: 'Whether to count the items on all pages.' }),
      ...bkProperties(kind, (schema) => Type.Optional(Type.Unsafe(schema))),
    },
    { additionalProperties: false, patternProperties: { ...oneDigitNames(Type.Unsafe), ...compared(kind) } },
  );
}

function compared({ bkCounts }: ObjectKind): Record<string, TSchema> {
  return Object.fromEntries(
    bkTypes.map((type) => {
      const digits = bkCounts[type] === 30 ? '0?[1-9]|[12][0-9]|30' : '0?[1-9]|10';
      return [`^bk${type}(${digits})\\[(${comparisonsOf[type].join('|')})\\]$`, Type.Unsafe(bkSchemas[type])];
    }),
  );
}
