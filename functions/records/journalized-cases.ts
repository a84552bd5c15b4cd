/** Journalized cases: created in a diary, which gives them their number, and searched by their bk-fields. */

import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { Fields } from '../../shared/records/objects/fields.ts';
import { objectKinds } from '../../shared/records/objects/kinds.ts';
import { listObjects, type Page } from '../../shared/records/objects/store.ts';
import { endpoint, type RecordsCaller, type RecordsService } from './caller.ts';
import { defaultLimit, listEndpoint, listPage, listReply, oneMore } from './object-lists.ts';
import { changeEndpoint, createEndpoint, readEndpoint } from './objects.ts';
import { searchQuery } from './schemas.ts';

/** Returns the endpoints of journalized cases. */
export function journalizedCases(service: RecordsService): Endpoint<RecordsCaller>[] {
  return [
    createEndpoint(service, 'journalizedCase'),
    listEndpoint(service, 'journalizedCase', 'diary'),
    searchCases(service),
    readEndpoint(service, 'journalizedCase'),
    changeEndpoint(service, 'journalizedCase'),
  ];
}

function searchCases({ databases }: RecordsService): Endpoint<RecordsCaller> {
  const kind = objectKinds['journalizedCase'];
  return endpoint({
    method: 'GET',
    path: '/journalized-cases',
    operationId: 'search-journalized-cases',
    summary: 'Find journalized cases by the values of bk-fields',
    description:
      'Every bk-field in the query must be equal: `?bkStr01=north&bkInt02=7`. Without any, all cases are listed.',
    tag: 'Journalized cases',
    access: 'bearer',
    extension: true,
    query: searchQuery('journalizedCase', defaultLimit),
    replies: { 200: listReply(kind) },
    async handle({ query, deadline, link, request }) {
      const { limit, offset, ...where } = query as Page & Fields;
      const page = { limit, offset };
      const found = await listObjects(databases.within(deadline).main, kind, { where, page: oneMore(page) });
      return listPage(found, page, link('/journalized-cases'), request.url);
    },
  });
}
