/** `local.settings.json`, the file in which Azure Functions projects keep the settings of their machine. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Reads the settings of the project in a folder; none without the file. Throws an error that names the file and what is wrong in it. */
export function readSettingsFile(folder: string): Readonly<Record<string, string>> {
  const path = join(folder, 'local.settings.json');
  return existsSync(path) ? settingsIn(path) : {};
}

function settingsIn(path: string): Readonly<Record<string, string>> {
  const content = parsed(path);
  if (!isObject(content)) throw refusal(path, 'it is not a JSON object');
  const values = content['Values'] ?? {};
  if (!isObject(values)) throw refusal(path, '"Values" is not an object');
  const nonText = Object.keys(values).find((name) => typeof values[name] !== 'string');
  if (nonText !== undefined) throw refusal(path, `the value of "${nonText}" is not a text in quotes`);
  return values as Record<string, string>;
}

function parsed(path: string): unknown {
  try {
    // Some editors begin the file with a byte order mark.
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) throw refusal(path, error.message);
    throw error;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusal(path: string, reason: string): Error {
  return new Error(`Cannot read ${basename(path)}: ${reason}. local.settings.json.example shows its form.`);
}
