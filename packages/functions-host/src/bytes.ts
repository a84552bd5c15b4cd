/** Bytes in parts, as bodies arrive and go on. */

/** Returns how many bytes parts have together. */
export function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
