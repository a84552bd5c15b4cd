/** The process of the local blobs. */

import { join } from 'node:path';
import { type Database, serveAzurite } from '../azurite/serve.ts';

/** Azurite's databases of blobs, and of the files with their bytes. */
interface Databases {
  readonly metadataStore: { readonly db: Database };
  readonly extentMetadataStore: { readonly db: Database };
}

await serveAzurite({
  name: 'Blob',
  configuration: (folder) => ({
    database: join(folder, 'blobs.json'),
    extentDatabase: join(folder, 'extents.json'),
    files: [{ locationId: 'Default', locationPath: join(folder, 'files'), maxConcurrency: 10 }],
    accessLog: false,
    accessLogStream: undefined,
    debugLog: false,
    debugLogFile: undefined,
  }),
  databasesOf: ({ metadataStore, extentMetadataStore }: Databases) => [
    metadataStore.db,
    extentMetadataStore.db,
  ],
});
