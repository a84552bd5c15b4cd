/** The process of the local tables. */

import { type Database, serveAzurite } from '../azurite/serve.ts';
import { dropUnfinished, tablesFile } from './whole-or-none.ts';

await serveAzurite({
  name: 'Table',
  configuration: (folder) => ({
    database: tablesFile(folder),
    debugLog: false,
    accessLog: false,
    accessLogStream: undefined,
    debugLogFile: undefined,
  }),
  databasesOf: ({ metadataStore }: { readonly metadataStore: { readonly db: Database } }) => [
    metadataStore.db,
  ],
  prepare: dropUnfinished,
});
