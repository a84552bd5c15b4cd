/** Texts of records as the bytes of one reply. */

import type { Rendered } from './text-cache.ts';

/** Joins texts as UTF-8 bytes, with a separator between them where it is given. A joined text would be copied once more. */
export function joinTexts(
  start: string,
  texts: readonly Rendered[],
  end: string,
  separator?: number,
): Buffer {
  const between = separator === undefined ? 0 : Math.max(0, texts.length - 1);
  const size = texts.reduce((sum, text) => sum + text.size, Buffer.byteLength(start + end) + between);
  const bytes = Buffer.allocUnsafeSlow(size);
  let place = bytes.write(start);
  let isFirst = true;
  for (const { text } of texts) {
    if (separator !== undefined && !isFirst) bytes[place++] = separator;
    place += bytes.write(text, place);
    isFirst = false;
  }
  bytes.write(end, place);
  return bytes;
}
