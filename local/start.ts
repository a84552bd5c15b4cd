/**
 * npm start, npm run dev
 * Serves the app with its local cloud until Ctrl-C. Settings: PORT, LOCAL_STATE, SAMPLE_DATA, and every setting of the app,
 * from the environment or from local.settings.json.
 */

import { watch } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildApp } from '../scripts/build.ts';
import { type LocalCloud, startLocalCloud } from './cloud.ts';
import { clientId, tenantId } from './defaults.ts';
import { addressFolder, writeIssuerAddress } from './identity/address-file.ts';
import { portIfFree } from './port-if-free.ts';
import { readStartSettings, usage } from './start-settings.ts';
import { lockStateFolder } from './state-lock.ts';
import { welcome } from './welcome.ts';

const root = join(import.meta.dirname, '..');

const { values } = parseArgs({
  options: { watch: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const started = performance.now();
const progress = (step: string) =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${step} ...`);

try {
  const { port, folder, sampleData, settings } = readStartSettings(root, process.env);
  if (port !== 0 && (await portIfFree(port)) === 0)
    throw new Error(`Port ${port} is in use. Choose another one: PORT=0 npm start takes any that is free.`);
  if (folder !== undefined) lockStateFolder(folder);
  progress('Building the app');
  await buildApp();
  const cloud = await startLocalCloud({
    port,
    folder,
    sampleData,
    settings,
    preferPorts: true,
    log: (text) => process.stdout.write(text),
    onProgress: progress,
  });
  // Where nothing is kept, `npm run token` still finds the issuer.
  if (folder === undefined)
    writeIssuerAddress(join(root, addressFolder('memory')), {
      address: cloud.identity.address,
      tenantId,
      clientId,
    });
  console.log(welcome(cloud, { sampleData, folder }));
  if (values.watch) restartOnChange(cloud);
  stopOnSignal(cloud);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function stopOnSignal(cloud: LocalCloud): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      console.log('\nStopping ...');
      void cloud.stop().then(() => process.exit(0));
    });
  }
}

/** Builds and restarts when a source file has changed; changes while that goes on lead to one more round. */
function restartOnChange(cloud: LocalCloud): void {
  let changed = false;
  let restarting = false;
  const restart = async () => {
    if (restarting) return;
    restarting = true;
    while (changed) {
      changed = false;
      console.log('The source has changed: building and restarting the app ...');
      await buildApp()
        .then(() => cloud.restartApp())
        .catch((error: unknown) => console.error(error instanceof Error ? error.message : error));
    }
    restarting = false;
  };
  for (const room of ['functions', 'shared']) {
    watch(join(root, room), { recursive: true }, () => {
      changed = true;
      void restart();
    });
  }
  console.log('Watching functions/ and shared/ for changes.');
}
