/** Deeds: the steps of a journalized case. */

import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { RecordsCaller, RecordsService } from '../operations/records-service.ts';
import { defaultLimit, listEndpoint } from './object-lists.ts';
import { changeEndpoint, createEndpoint, readEndpoint } from './objects.ts';
import { searchEndpoint } from './search.ts';

/** Returns the endpoints of deeds, which are extensions (docs/records-contract.md, "Objects"). */
export function deeds(service: RecordsService): Endpoint<RecordsCaller>[] {
  const extension = { extension: true } as const;
  return [
    createEndpoint(service, 'deed', extension),
    listEndpoint(service, 'deed', 'journalizedCase'),
    searchEndpoint(service, 'deed', { operationId: 'search-deeds', defaultLimit, ...extension }),
    readEndpoint(service, 'deed', extension),
    changeEndpoint(service, 'deed', extension),
  ];
}
