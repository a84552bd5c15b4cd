/** Diaries: they number journalized cases. */

import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { RecordsCaller, RecordsService } from '../operations/records-service.ts';
import { changeEndpoint, createEndpoint, readEndpoint } from './objects.ts';
import { searchEndpoint } from './search.ts';

/** Returns the endpoints of diaries. */
export function diaries(service: RecordsService): Endpoint<RecordsCaller>[] {
  const extension = { extension: true } as const;
  return [
    searchEndpoint(service, 'diary', { operationId: 'list-diaries', defaultLimit: 1_000 }),
    createEndpoint(service, 'diary', extension),
    readEndpoint(service, 'diary', extension),
    changeEndpoint(service, 'diary', extension),
  ];
}
