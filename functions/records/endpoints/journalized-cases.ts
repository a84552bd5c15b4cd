/** Journalized cases: created in a diary, which gives them their number, and searched by their bk-fields. */

import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { RecordsCaller, RecordsService } from '../operations/records-service.ts';
import { defaultLimit, listEndpoint } from './object-lists.ts';
import { changeEndpoint, createEndpoint, readEndpoint } from './objects.ts';
import { searchEndpoint } from './search.ts';

/** Returns the endpoints of journalized cases. */
export function journalizedCases(service: RecordsService): Endpoint<RecordsCaller>[] {
  return [
    createEndpoint(service, 'journalizedCase'),
    listEndpoint(service, 'journalizedCase', 'diary'),
    searchEndpoint(service, 'journalizedCase', {
      operationId: 'search-journalized-cases',
      defaultLimit,
      extension: true,
    }),
    readEndpoint(service, 'journalizedCase'),
    changeEndpoint(service, 'journalizedCase'),
  ];
}
