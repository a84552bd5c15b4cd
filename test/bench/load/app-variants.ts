/** The measured apps: that of the project, and the same with its limits switched off, for which the product has no setting. */

import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type FunctionsHost, startFunctionsHost } from '@records-and-calendar/functions-host';
import type { Plugin } from 'esbuild';
import type { DevStack } from '../../../local/index.ts';
import { buildInto } from '../../../scripts/build.ts';
import { calendarName } from './fixtures.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Starts a process of an app over the emulators of a dev stack. */
export type StartApp = (settings?: Readonly<Record<string, string>>) => Promise<FunctionsHost>;

/** A value for the app with limits, and one for the app without. */
export type Variants<T> = readonly [limited: T, unlimited: T];

/** Calls a function for each of them. */
export function forBoth<T, U>([limited, unlimited]: Variants<T>, map: (variant: T) => U): Variants<U> {
  return [map(limited), map(unlimited)];
}

/** Builds the app without limits. */
export async function buildVariants({ settings }: DevStack): Promise<{
  readonly apps: Variants<StartApp>;
  /** Removes what was built. */
  remove(): void;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'unlimited-app-'));
  for (const name of ['package.json', 'host.json']) copyFileSync(join(root, name), join(folder, name));
  const replaced = new Set<string>();
  await buildInto(join(folder, 'dist'), [withoutLimits(replaced)]);
  if (replaced.size < 2)
    throw new Error(`Cannot switch the limits off: only ${replaced.size} modules are found.`);
  const apps = forBoth([root, folder], (app): StartApp => {
    return (more) =>
      startFunctionsHost({ app, port: 0, settings: { ...settings, CALENDAR_NAME: calendarName, ...more } });
  });
  return { apps, remove: () => rmSync(folder, { recursive: true }) };
}

/** Replaces the modules of limits by the modules beside this file, and adds their names to `replaced`. */
function withoutLimits(replaced: Set<string>): Plugin {
  return {
    name: 'without-limits',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]shared[\\/]limits[\\/](fair-queue|budget)\.ts$/ }, ({ path }) => {
        const name = basename(path);
        replaced.add(name);
        const contents = readFileSync(join(import.meta.dirname, `unlimited-${name}`));
        return { contents, loader: 'ts' };
      });
    },
  };
}
