/** The entity tag of a page of a list. */

import { crc32 } from 'node:zlib';
import type { Rendered } from './text-cache.ts';

/** Returns the entity tag of a page, from the checksums of its texts, which are faster than a digest of its bytes. */
export function pageTag(otherFields: string, texts: readonly Rendered[], size: number): string {
  const sums = new Uint32Array(texts.length);
  for (const [index, { sum }] of texts.entries()) sums[index] = sum;
  return `"${crc32(sums, crc32(otherFields)).toString(36)}-${size.toString(36)}"`;
}
