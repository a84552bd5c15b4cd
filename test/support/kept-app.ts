/** Apps on the sample databases, for one test file after the other: an app that has just started is slow. Each file has databases of its own. */

import { inject, vi } from 'vitest';
import { type DevStack, type DevStackOptions, startDevStack } from '../../local/dev-stack.ts';
import { settingsOfRealServer } from './database-settings.ts';
import { nameOfDatabases } from './databases-of-test.ts';
import { type RenamingProxy, startRenamingProxy } from './renaming-proxy.ts';
import { createDatabases } from './sample-databases.ts';
import { settingsOfOwnDatabases } from './shared-emulators.ts';

type Settings = Readonly<Record<string, string>>;

/** An app that runs, and what to call when the file is done with it: the next one takes it over. */
export interface TakenApp {
  readonly stack: DevStack;
  release(): Promise<void>;
}

interface Kept {
  readonly stack: DevStack;
  readonly proxy: RenamingProxy;
  isLost: boolean;
}

/** The app that no file of this process uses now. Its processes end with this one. */
let free: Kept | undefined;

/** Checks whether files may share an app: where the databases are ours, on the local server. */
export function canKeepApp(): boolean {
  return nameOfDatabases() === 'ours' && settingsOfRealServer() === undefined;
}

/** Starts an app, or takes over that of an earlier file of this process and leads it to databases of this file's own. */
export async function takeApp(options: DevStackOptions): Promise<TakenApp> {
  const kept = free ?? (await start(options));
  if (kept === free) await renew(kept);
  free = undefined;
  const { stack, proxy } = kept;
  return {
    stack,
    async release() {
      if (!kept.isLost && free === undefined) free = kept;
      else await Promise.all([stack.stop(), proxy.stop()]);
    },
  };
}

async function start({ settings = {}, ...options }: DevStackOptions): Promise<Kept> {
  const own = settingsOfOwnDatabases();
  await createDatabases(own);
  const proxy = await startRenamingProxy(inject('sqlServerPort'));
  const behindProxy = { ...own, DB_SERVER: `127.0.0.1,${proxy.port}` };
  const stack = await startDevStack({
    ...options,
    settings: { ...settings, ...behindProxy },
    prepareDatabases: false,
    onLoss: () => {
      kept.isLost = true;
    },
  });
  const kept: Kept = { stack, proxy, isLost: false };
  return kept;
}

/** Leads an app that runs to new databases, and waits until it has found both. */
async function renew({ stack, proxy }: Kept): Promise<void> {
  const own = settingsOfOwnDatabases();
  await createDatabases(own);
  const name = (settings: Settings, setting: string) => settings[setting] ?? '';
  const names = ['DB_NAME', 'DB_CUSTOMIZATION_NAME'].map((one) => [
    name(stack.settings, one),
    name(own, one),
  ]);
  proxy.leadTo(Object.fromEntries(names));
  const headers = { Authorization: `Bearer ${stack.token('alice@example.org')}` };
  const look = async () => {
    const reply = await fetch(`${stack.base}/v8.0/documents/document-letter/custom-data`, { headers });
    const text = await reply.text();
    if (reply.status !== 200)
      throw new Error(`The app does not find its new databases: ${reply.status} ${text}`);
  };
  await vi.waitFor(look, { timeout: 60_000 });
}
