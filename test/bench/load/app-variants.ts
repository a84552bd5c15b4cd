/** The measured apps: that of the project, and the same with its limits switched off, for which the product has no setting. */

import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Plugin } from 'esbuild';
import type { DevStack } from '../../../local/dev-stack.ts';
import { type FunctionsHost, startFunctionsHost } from '../../../local/functions-host/start.ts';
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
  await buildInto(join(folder, 'dist'), [withoutLimits]);
  const apps = forBoth([root, folder], (app): StartApp => {
    return (more) =>
      startFunctionsHost({ app, port: 0, settings: { ...settings, CALENDAR_NAME: calendarName, ...more } });
  });
  return { apps, remove: () => rmSync(folder, { recursive: true }) };
}

/** Replaces the modules of limits by the modules beside this file. */
const withoutLimits: Plugin = {
  name: 'without-limits',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]shared[\\/]limits[\\/](fair-queue|budget)\.ts$/ }, ({ path }) => ({
      contents: readFileSync(join(import.meta.dirname, `unlimited-${basename(path)}`)),
      loader: 'ts',
    }));
  },
};
