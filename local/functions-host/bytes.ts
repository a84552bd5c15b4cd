/** Bytes in parts, as bodies arrive and go on. */

/** Returns how many bytes parts have together. */
export function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** Gives memory back at once that is no longer read or sent: megabytes that wait for the collector make it run all the time. Bytes that share their memory stay. */
export function freeMemory(parts: readonly Uint8Array[]): void {
  for (const { buffer, byteLength } of parts)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
