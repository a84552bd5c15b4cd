/** HCL text to values, through HashiCorp's own parser compiled to WebAssembly. */

import { parse } from '@cdktf/hcl2json';
import type { Value } from '../model.ts';
import { toValue } from './value.ts';

/** What was parsed before, by text: a file costs about 10 ms. */
const parsed = new Map<string, Promise<unknown>>();

/** Parses a .tf or .tfvars file to its blocks by kind. Throws an error that names the file and the place of the first fault. */
export async function parseHcl(file: string, text: string): Promise<Value> {
  return toValue(await parseHclRaw(file, text));
}

/** The same as hcl2json gives it: JSON in which texts are templates. */
export function parseHclRaw(file: string, text: string): Promise<unknown> {
  const cached = parsed.get(text);
  if (cached) return cached;
  const value = parse(file, text);
  parsed.set(text, value);
  return value;
}
