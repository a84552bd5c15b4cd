/** The door of the dev stack: all that the rest of the repository uses of it. */

export { blobConnectionString, connectionString, endpointAt } from './azurite/address.ts';
export type { StorageEmulator } from './azurite/start.ts';
export { startBlobs } from './blobs/start-blobs.ts';
export { checkState } from './check-state.ts';
export {
  clientId,
  databases,
  emulatorAddresses,
  fixedSettings,
  preferredPorts,
  sqlLogin,
  sqlServerSettings,
  startRequestId,
  tenantId,
} from './defaults.ts';
export { type DevStack, type DevStackOptions, sampleScripts, startDevStack } from './dev-stack.ts';
export { type Emulator, type Settings, startEmulators } from './emulators.ts';
export { freePort } from './free-port.ts';
export { openClients } from './identity/clients.ts';
export type { EndpointName } from './identity/http.ts';
export { type IssuerFile, issuerFolder, readIssuerFile, writeIssuerFile } from './identity/issuer-file.ts';
export { openKeyRing } from './identity/keys.ts';
export { type Identity, startIdentity } from './identity/start.ts';
export { folderOfStart, isStarting, type Running, readRunning, writeRunning } from './running.ts';
export { fillCalendar } from './sample-data/calendar/load.ts';
export { fillTown, townTitles } from './sample-data/calendar/town.ts';
export { sampleUsers } from './sample-data/users.ts';
export { basePathOf, type ServiceUrls } from './service-urls.ts';
export { lockStateFolder } from './state-lock.ts';
export { startTables } from './tables/start-tables.ts';
