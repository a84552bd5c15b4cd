/** One identifier of the custom data of many objects, as a list with pages. */

import * as Type from 'typebox';
import { tagOfValue } from '../../../shared/custom-data/read.ts';
import { maxCalls, readManyValues } from '../../../shared/custom-data/read-many.ts';
import { CodedError } from '../../../shared/errors.ts';
import { prefers } from '../../../shared/http/accept.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { contentReply, json, RawJson } from '../../../shared/http/reply.ts';
import { pathSegment } from '../../../shared/http/urls.ts';
import { createTurns } from '../../../shared/limits/turns.ts';
import { splitList } from '../../../shared/text/split-list.ts';
import { csvMediaType } from '../csv/csv.ts';
import type { Fields } from '../objects/fields.ts';
import type { KindName } from '../objects/kinds.ts';
import { findByValues } from '../operations/find-by-values.ts';
import {
  databasesFor,
  endpoint,
  type RecordsCaller,
  type RecordsService,
} from '../operations/records-service.ts';
import { bounds } from '../wire/bounds.ts';
import { type TableItem, valuesToCsv } from '../wire/custom-data-table.ts';
import { customDataIdentifier } from '../wire/examples.ts';
import {
  conditionsQuery,
  countParameter,
  sortParameter,
  whereCondition,
  whereParameter,
  whereParameters,
} from '../wire/list-query.ts';
import { headersOf, type ListQuery, pageHeaders, sortedFields } from '../wire/list-reply.ts';
import { paging } from '../wire/schemas.ts';
import { defaultLimit } from './object-lists.ts';

const itemsSchema = Type.Array(
  Type.Object({
    id: Type.String({ description: 'Identifier of the object.' }),
    etag: Type.String({
      description:
        'The entity tag of the value: that of a read of it alone, for a change of it alone or of many.',
    }),
    value: Type.Unknown({ description: 'What a read of the value of this object gives: any JSON.' }),
  }),
  { $id: 'CustomDataOfObjects' },
);

const tableSchema = Type.String({
  $id: 'CustomDataOfObjectsTable',
  description: 'A line of names, and a line per row of each object, which begins with its identifier.',
});

/** The path parameter of an identifier of many objects. */
export const identifierParameter = Type.Object({
  identifier: Type.String({
    minLength: 1,
    description: 'Identifier of the custom data; a slash in it is written %252F.',
    examples: [customDataIdentifier],
  }),
});

/** The query parameter that chooses the columns of CSV. */
const columnsParameter = Type.Optional(
  Type.Array(Type.String(), {
    description:
      'The columns of CSV behind `id`, with commas between: properties of the values, and `value` for rows that are no objects. Without it those of the source; values that are not of a source have one column `value`, as JSON.',
    examples: [['number', 'amount']],
  }),
);

/** The query parameter that asks for entity tags in CSV. */
const etagsParameter = Type.Optional(
  Type.Boolean({
    description:
      'Whether CSV has the entity tag of each value in its second column, `etag`, for a spreadsheet that is sent back. JSON always has it.',
  }),
);

type ValuesQuery = ListQuery & { readonly columns?: readonly string[]; readonly etags?: boolean };

type TaggedItem = TableItem & { readonly etag: string };

/** Returns the columns that a query names. Throws `invalid-parameters` for one that is empty, or named twice. */
function chosenColumns(values: readonly string[] | undefined): readonly string[] | undefined {
  if (values === undefined) return undefined;
  const columns = splitList(values);
  const details = columns.flatMap((column, index) => {
    if (column === '') return ['has an empty column'];
    return columns.indexOf(column) < index ? [`names ${JSON.stringify(column.slice(0, 128))} twice`] : [];
  });
  if (details.length === 0) return columns;
  throw new CodedError('invalid-parameters', 'Cannot answer CSV: the columns are not valid.', {
    errors: [...new Set(details)].slice(0, 20).map((detail) => ({ pointer: 'query:columns', detail })),
  });
}

/** Parts the conditions of a query: those on fields of the objects, and those on custom values. */
function splitConditions(all: Fields) {
  const conditions = Object.entries(all).flatMap(([name, value]) => {
    const condition = whereCondition(name, String(value));
    return condition === undefined ? [] : [condition];
  });
  const names = new Set(conditions.map(({ parameter }) => parameter));
  const where = Object.fromEntries(Object.entries(all).filter(([name]) => !names.has(name)));
  return { where, conditions };
}

/** Creates the endpoint that reads one identifier of the objects of a kind. */
export function customDataListEndpoint(service: RecordsService, name: KindName): Endpoint<RecordsCaller> {
  const { databases, objects, sources, served } = service;
  const kind = served.kindOf(name);
  const words = kind.collection.replaceAll('-', ' ');
  return endpoint({
    method: 'GET',
    path: `/${kind.collection}/custom-data/{identifier}`,
    operationId: `list-custom-data-values-of-${kind.collection}`,
    bound: bounds.customDataOfMany,
    summary: `Read one custom data value of many ${words}`,
    description: `The values of the ${words} that meet every condition of the query, as lists of them have it, each as a read of the object alone gives it. ${words.charAt(0).toUpperCase()}${words.slice(1)} for which that read is 404 or 403 are left out. Where the values come from a procedure, a page has up to ${maxCalls}. Where they come from a view, its columns can be conditions and order: \`where[status]=granted&sort=-amount\`. An object whose identifier is \`custom-data\` has no lists and no custom data of its own here.`,
    tag: 'Custom data',
    access: 'bearer',
    extension: true,
    parameters: identifierParameter,
    query: conditionsQuery(
      kind,
      {
        ...paging(defaultLimit),
        where: whereParameter,
        sort: sortParameter,
        count: countParameter,
        columns: columnsParameter,
        etags: etagsParameter,
      },
      { [whereParameters.source]: Type.String() },
    ),
    problems: {
      400: 'invalid-parameters, custom-data-many-calls, custom-data-not-searchable',
      404: 'custom-data-not-found',
      422: 'too-many-cells, too-many-objects',
      500: 'custom-data-source-missing, custom-data-source-failed, custom-source-timeout',
    },
    replies: {
      200: {
        description: 'A page of the values. The header Link names the pages beside it.',
        schema: itemsSchema,
        otherMediaTypes: { 'text/csv': tableSchema },
        headers: pageHeaders,
      },
    },
    async handle({ path: { identifier }, query, link, request, ...call }) {
      const { main, customization } = databasesFor(databases, call);
      const {
        limit,
        offset,
        after,
        sort,
        count = false,
        columns: names,
        etags = false,
        ...all
      } = query as ValuesQuery;
      const chosen = chosenColumns(names);
      const isTable = prefers(request.headers, 'text/csv', 'application/json');
      const { where, conditions } = splitConditions(all);
      const page = await findByValues({ main, customization }, kind, await sources.of(main, kind), {
        identifier,
        typeID: objects.typeOf(kind),
        where,
        conditions,
        sort: sortedFields(sort),
        page: { limit, offset, after },
        count,
      });
      const ids = page.records.flatMap(({ id = null }) => (id === null ? [] : [String(id)]));
      const propIDs = await objects.propIdsOf(main, kind, ids);
      const idsOf = new Map(Array.from(propIDs, ([id, propID]) => [propID, id]));
      const { values, tabular, columns } = await readManyValues(customization, {
        propIDs: [...propIDs.values()],
        idOf: (propID) => idsOf.get(propID) ?? '',
        typeID: objects.typeOf(kind),
        identifier,
        user: call.caller.user,
        withColumns: isTable,
      });
      const turns = createTurns();
      const items: TaggedItem[] = [];
      for (const id of ids) {
        const propID = propIDs.get(id) ?? Number.NaN;
        const value = values.get(propID);
        if (value === undefined) continue;
        const etag = isTable && !etags ? '' : await tagOfValue(value);
        items.push({ id, etag, value, isTabular: tabular.has(propID) });
        await turns.next();
      }
      const url = link(`/${kind.collection}/custom-data/${pathSegment(identifier)}`);
      const headers = headersOf(page, limit, url, request.url);
      if (isTable)
        return contentReply(
          csvMediaType,
          await valuesToCsv(identifier, items, { columns, chosen, hasTags: etags }),
          headers,
        );
      const texts = items.map(
        ({ id, etag, value }) =>
          `{"id":${JSON.stringify(id)},"etag":${JSON.stringify(etag)},"value":${value}}`,
      );
      return json(new RawJson(`[${texts.join(',')}]`), { headers });
    },
  });
}
