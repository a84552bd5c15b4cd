/** `npm run dev`: builds again when a source file has changed, and restarts the app when that gave another build. */

import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { watch } from 'chokidar';
import type { DevStack } from '../../local/index.ts';
import { buildApp } from '../build.ts';

/** Milliseconds that an editor has to finish writing: one save is several events. */
const settleDelay = 100;

const root = join(import.meta.dirname, '..', '..');

export interface Watch {
  /** Records that the app has ended, so that any next change starts it again. */
  appIsDown(): void;
}

/** Watches the sources as long as the process lives. Changes during a restart lead to one more round. */
export async function restartOnChange(stack: DevStack): Promise<Watch> {
  let changed = false;
  let restarting = false;
  let down = false;

  async function restart(): Promise<void> {
    restarting = true;
    while (changed) {
      await delay(settleDelay);
      changed = false;
      await buildAndRestart().catch((error: unknown) => {
        console.error(error instanceof Error ? error.message : error);
      });
    }
    restarting = false;
  }

  async function buildAndRestart(): Promise<void> {
    const built = await buildApp();
    if (!built && !down) return;
    console.log('The source has changed: restarting the app ...');
    down = true;
    down = !(await stack.restartApp());
    if (!down) console.log('The app runs again.');
  }

  await watchSources(() => {
    changed = true;
    if (!restarting) void restart();
  });
  console.log('Watching functions/ and shared/ for changes.');
  return {
    appIsDown() {
      down = true;
      console.log('It starts again when the source changes.');
    },
  };
}

/** Calls back once it watches all source files of the app, since a change before that may pass unseen, and whenever one has changed. */
async function watchSources(onChange: () => void): Promise<void> {
  const folders = ['functions', 'shared'].map((name) => join(root, name));
  const watcher = watch(folders, { ignoreInitial: true })
    .on('all', onChange)
    .on('error', (error) => console.error('Cannot watch the sources:', error));
  await once(watcher, 'ready');
  onChange();
}
