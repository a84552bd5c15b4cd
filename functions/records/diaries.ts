/** Diaries: they number journalized cases. */

import type { Endpoint } from '../../shared/http/endpoint.ts';
import { objectKinds } from '../../shared/records/objects/kinds.ts';
import { listObjects } from '../../shared/records/objects/store.ts';
import { endpoint, type RecordsCaller, type RecordsService } from './caller.ts';
import { listPage, listReply, oneMore } from './object-lists.ts';
import { changeEndpoint, createEndpoint, readEndpoint } from './objects.ts';
import { pageQuery } from './schemas.ts';

/** Returns the endpoints of diaries. */
export function diaries(service: RecordsService): Endpoint<RecordsCaller>[] {
  const extension = { extension: true } as const;
  return [
    listDiaries(service),
    createEndpoint(service, 'diary', extension),
    readEndpoint(service, 'diary', extension),
    changeEndpoint(service, 'diary', extension),
  ];
}

function listDiaries({ databases }: RecordsService): Endpoint<RecordsCaller> {
  const kind = objectKinds['diary'];
  return endpoint({
    method: 'GET',
    path: '/diaries',
    operationId: 'list-diaries',
    summary: 'List the diaries',
    tag: 'Diaries',
    access: 'bearer',
    query: pageQuery(1_000),
    replies: { 200: listReply(kind) },
    async handle({ query: page, deadline, link, request }) {
      const found = await listObjects(databases.within(deadline).main, kind, { page: oneMore(page) });
      return listPage(found, page, link('/diaries'), request.url);
    },
  });
}
