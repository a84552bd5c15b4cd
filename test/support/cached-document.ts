/** API documents for all test files: composing one takes an app longer than its start. */

import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { newFolder } from './temporary-folder.ts';

type Json = Record<string, unknown>;

declare module 'vitest' {
  interface ProvidedContext {
    documentFolder: string;
  }
}

/** Makes a folder for them before the first test file. */
export function setup(project: TestProject): void {
  project.provide('documentFolder', newFolder());
}

/** Those that this process has, by their files. */
const read = new Map<string, Json>();

const build = join(import.meta.dirname, '../../dist/functions/index.js');

/** The settings that change paths and schemas. */
const settingsThatMatter = ['APIS', 'CALENDAR_BASE_PATH', 'OBJECT_METADATA', 'SERVICE_API_BASE_URL'];

/** Returns the document of an app of the present build: as one was asked for that has the same settings of those that matter to it, else as this one is. */
export async function cachedDocument(
  settings: Readonly<Record<string, string>>,
  ask: () => Promise<Json | undefined>,
): Promise<Json | undefined> {
  const { mtimeMs, size } = statSync(build);
  const values = settingsThatMatter.map((setting) => settings[setting] ?? null);
  const key = JSON.stringify([values, mtimeMs, size]);
  const name = createHash('sha256').update(key).digest('hex');
  const file = join(inject('documentFolder'), name);
  const document = read.get(file) ?? (existsSync(file) ? parse(file) : await ask());
  if (document === undefined) return undefined;
  read.set(file, document);
  if (existsSync(file)) return document;
  // Files that run at the same time may ask for the same one; each finds it whole, or not at all.
  const unfinished = `${file}.${randomUUID()}`;
  writeFileSync(unfinished, JSON.stringify(document));
  renameSync(unfinished, file);
  return document;
}

function parse(file: string): Json {
  return JSON.parse(readFileSync(file, 'utf8')) as Json;
}
