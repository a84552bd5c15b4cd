/** YAML of files that are checked again and again as they were. */

import { parse } from 'yaml';

const parsed = new Map<string, unknown>();

/** Parses a text of YAML, unless it was parsed before: several rules look at the same files. Throws what `yaml` throws. */
export function parseYaml(text: string): unknown {
  if (!parsed.has(text)) parsed.set(text, parse(text));
  return parsed.get(text);
}
