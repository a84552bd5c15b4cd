/**
 * npm start, npm run dev
 * Serves the app with its local cloud until Ctrl-C. Settings: PORT, LOCAL_STATE, SAMPLE_DATA, and every setting of the app,
 * from the environment or from local.settings.json.
 */

import { join } from 'node:path';
import { buildApp } from '../scripts/build.ts';
import { readArguments } from '../scripts/command-line.ts';
import { type LocalCloud, startLocalCloud } from './cloud.ts';
import { clientId, tenantId } from './defaults.ts';
import { addressFolder, writeIssuerAddress } from './identity/address-file.ts';
import { portIfFree } from './port-if-free.ts';
import { restartOnChange, type Watch } from './restart-on-change.ts';
import { readStartSettings, usage } from './start-settings.ts';
import { lockStateFolder } from './state-lock.ts';
import { welcome } from './welcome.ts';

const root = join(import.meta.dirname, '..');

const { values } = readArguments({
  command: 'npm start',
  help: usage,
  options: { watch: { type: 'boolean', default: false } },
});

const started = performance.now();
const progress = (step: string) =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${step} ...`);

try {
  const { port, folder, sampleData, settings } = readStartSettings(root, process.env);
  if (folder !== undefined) lockStateFolder(folder);
  if (port !== 0 && (await portIfFree(port)) === 0)
    throw new Error(`Port ${port} is in use. Choose another one: PORT=0 npm start takes any that is free.`);
  progress('Building the app');
  await buildApp();
  let cloud: LocalCloud | undefined;
  let watch: Watch | undefined;
  cloud = await startLocalCloud({
    port,
    folder,
    sampleData,
    settings,
    preferPorts: true,
    log: (line) => console.log(line),
    sourceMaps: true,
    onProgress: progress,
    onLoss: (what, part) => {
      console.error(`${what}.`);
      if (part === 'app' && watch !== undefined) watch.appIsDown();
      else void cloud?.stop().then(() => process.exit(1));
    },
  });
  // Where nothing is kept, `npm run token` still finds the issuer.
  if (folder === undefined)
    writeIssuerAddress(join(root, addressFolder('memory')), {
      address: cloud.identity.address,
      tenantId,
      clientId,
    });
  console.log(welcome(cloud, { sampleData, folder }));
  if (values.watch) watch = await restartOnChange(cloud);
  stopOnSignal(cloud);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** The first signal stops everything in order, the second one ends this process at once; the others then see that it has gone. */
function stopOnSignal(cloud: LocalCloud): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(130);
      stopping = true;
      console.log('\nStopping ... (Ctrl-C again ends it at once)');
      void cloud.stop().then(() => process.exit(0));
    });
  }
}
