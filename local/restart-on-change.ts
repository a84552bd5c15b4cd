/** `npm run dev`: builds again when a source file has changed, and restarts the app when that gave another build. */

import { watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildApp } from '../scripts/build.ts';
import type { LocalCloud } from './cloud.ts';

/** Milliseconds that an editor has to finish writing: one save is several events. */
const settleTime = 100;

const sources = ['functions', 'shared'];

export interface Watch {
  /** Says that the app has ended, so that the next change starts it again whatever has changed. */
  appIsDown(): void;
}

/** Watches the sources as long as the process lives. Changes while a restart goes on lead to one more round. */
export function restartOnChange(cloud: LocalCloud): Watch {
  let changed = false;
  let restarting = false;
  let down = false;

  async function restart(): Promise<void> {
    restarting = true;
    while (changed) {
      await delay(settleTime);
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
    await cloud.restartApp();
    down = false;
    console.log('The app runs again.');
  }

  for (const source of sources) {
    watch(join(import.meta.dirname, '..', source), { recursive: true }, () => {
      changed = true;
      if (!restarting) void restart();
    });
  }
  console.log(`Watching ${sources.join('/ and ')}/ for changes.`);
  return {
    appIsDown() {
      down = true;
      console.log('It starts again when the source changes.');
    },
  };
}
