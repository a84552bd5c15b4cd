/** Documents: the papers of a deed. */

import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { RecordsCaller, RecordsService } from '../operations/records-service.ts';
import { defaultLimit, listEndpoint } from './object-lists.ts';
import { changeEndpoint, createEndpoint, readEndpoint } from './objects.ts';
import { searchEndpoint } from './search.ts';

/** Returns the endpoints of documents, which are extensions (docs/records-contract.md, "Objects"). */
export function documents(service: RecordsService): Endpoint<RecordsCaller>[] {
  const extension = { extension: true } as const;
  return [
    createEndpoint(service, 'document', extension),
    listEndpoint(service, 'document', 'deed'),
    searchEndpoint(service, 'document', { operationId: 'search-documents', defaultLimit, ...extension }),
    readEndpoint(service, 'document', extension),
    changeEndpoint(service, 'document', extension),
  ];
}
