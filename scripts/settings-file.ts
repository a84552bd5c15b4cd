/** Reads `local.settings.json`, the settings of an Azure Functions project on a developer's machine. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Reads the settings of the project in a folder; none without the file. Throws an Error that names the file and its problem. */
export function readSettingsFile(folder: string): Readonly<Record<string, string>> {
  const path = join(folder, 'local.settings.json');
  return existsSync(path) ? settingsIn(path) : {};
}

function settingsIn(path: string): Readonly<Record<string, string>> {
  const content = parseFile(path);
  if (!isObject(content)) throw invalidFile(path, 'it is not a JSON object');
  const values = content['Values'] ?? {};
  if (!isObject(values)) throw invalidFile(path, '"Values" is not an object');
  const nonText = Object.keys(values).find((name) => typeof values[name] !== 'string');
  if (nonText !== undefined) throw invalidFile(path, `the value of "${nonText}" is not a text in quotes`);
  return values as Record<string, string>;
}

function parseFile(path: string): unknown {
  try {
    // Some editors begin the file with a byte order mark.
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidFile(path, error.message);
    throw error;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalidFile(path: string, reason: string): Error {
  return new Error(`Cannot read ${basename(path)}: ${reason}. local.settings.json.example shows its form.`);
}
