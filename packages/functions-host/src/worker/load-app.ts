/** Loads the built app exactly as the Node worker does: its package.json `main`, with `@azure/functions-core` provided. */

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFunctionsCore, type Registrations } from './functions-core.ts';
import type { WriteLog } from './log.ts';

const coreName = '@azure/functions-core';
const coreUrl = 'functions-host:core';

export interface LoadedApp {
  readonly registrations: Registrations;
  /** Where the library takes HTTP requests, when the app has asked for HTTP streams. */
  readonly httpUri: string | undefined;
}

/** Loads the app in a folder and runs its `appStart` hooks. */
export async function loadApp(folder: string, log: WriteLog): Promise<LoadedApp> {
  const { core, registrations } = createFunctionsCore(log);
  provide(core);
  const { main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { main?: string };
  if (main === undefined)
    throw new Error(`Cannot load the app: ${join(folder, 'package.json')} has no "main".`);
  await import(pathToFileURL(join(folder, main)).href);
  if (registrations.programmingModel === undefined)
    throw new Error('Cannot load the app: it has registered no function.');
  const { HttpUri } = await registrations.programmingModel.getCapabilities({});
  await runHooks(registrations, 'appStart');
  return { registrations, httpUri: HttpUri as string | undefined };
}

/** Runs the hooks of a name in the order in which they were registered, with one context that they may change. */
export async function runHooks(
  { hooks, appHookData }: Registrations,
  name: string,
  context: Record<string, unknown> = { hookData: {} },
): Promise<void> {
  Object.assign(context, { appHookData });
  for (const hook of hooks.get(name) ?? []) await hook(context);
}

/** Replaces what `require` and `import` of the core module return by our object. */
function provide(core: object): void {
  const holder = globalThis as Record<symbol, unknown>;
  holder[Symbol.for(coreUrl)] = core;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === coreName
        ? { url: coreUrl, format: 'commonjs', shortCircuit: true }
        : next(specifier, context),
    load: (url, context, next) =>
      url === coreUrl
        ? {
            format: 'commonjs',
            shortCircuit: true,
            source: `module.exports = globalThis[Symbol.for('${coreUrl}')]`,
          }
        : next(url, context),
  });
}
