/** Writes the protocol's basic fields (MS-TDS 2.2.5.1) into a buffer that grows. */

/** Bytes that an empty writer keeps at most. */
const KEPT_CAPACITY = 256 * 1024;

/** Bytes of room behind a large value, so that what ends it does not copy it once more. */
const SPARE = 4096;

/** A growing buffer with one method per basic field of the protocol (MS-TDS 2.2.5.1); all numbers are little-endian. */
export class ByteWriter {
  private bytes: Buffer;
  private used = 0;
  /** Bytes of a packet's body, where what is written is cut into packets. */
  packetBody = Number.POSITIVE_INFINITY;

  constructor(capacity = 4096) {
    this.bytes = Buffer.allocUnsafe(capacity);
  }

  get length(): number {
    return this.used;
  }

  /** Bytes that still fit into the packet which the next one goes to. */
  get packetRoom(): number {
    return this.packetBody - (this.used % this.packetBody);
  }

  /** Returns the bytes from `start` to `end` as a view, valid until the next write or `clear`. */
  view(start = 0, end = this.used): Buffer {
    return this.bytes.subarray(start, end);
  }

  /** Forgets what was written, and lets go of a buffer that has grown large. */
  clear(): void {
    this.used = 0;
    if (this.bytes.length > KEPT_CAPACITY) this.bytes = Buffer.allocUnsafe(KEPT_CAPACITY);
  }

  uint8(value: number): void {
    const at = this.advance(1);
    this.bytes.writeUInt8(value, at);
  }

  /** Writes one byte after the other. */
  uint8s(values: readonly number[]): void {
    for (const value of values) this.uint8(value);
  }

  uint16(value: number): void {
    const at = this.advance(2);
    this.bytes.writeUInt16LE(value, at);
  }

  int16(value: number): void {
    const at = this.advance(2);
    this.bytes.writeInt16LE(value, at);
  }

  uint32(value: number): void {
    const at = this.advance(4);
    this.bytes.writeUInt32LE(value, at);
  }

  int32(value: number): void {
    const at = this.advance(4);
    this.bytes.writeInt32LE(value, at);
  }

  /** Writes an unsigned number in `size` bytes, at most 6. */
  uint(value: number, size: number): void {
    const at = this.advance(size);
    this.bytes.writeUIntLE(value, at, size);
  }

  uint64(value: bigint): void {
    const at = this.advance(8);
    this.bytes.writeBigUInt64LE(value, at);
  }

  int64(value: bigint): void {
    const at = this.advance(8);
    this.bytes.writeBigInt64LE(value, at);
  }

  float32(value: number): void {
    const at = this.advance(4);
    this.bytes.writeFloatLE(value, at);
  }

  float64(value: number): void {
    const at = this.advance(8);
    this.bytes.writeDoubleLE(value, at);
  }

  raw(value: Uint8Array): void {
    const at = this.advance(value.length);
    this.bytes.set(value, at);
  }

  unicode(value: string): void {
    const at = this.advance(value.length * 2);
    this.bytes.write(value, at, 'utf16le');
  }

  /** Writes a B_VARCHAR: text of at most 255 characters; longer text is cut, for it names things only. */
  shortText(value: string): void {
    const text = value.slice(0, 0xff);
    this.uint8(text.length);
    this.unicode(text);
  }

  /** Writes a US_VARCHAR: text of at most 65,535 characters; longer text is cut. */
  text(value: string): void {
    const text = value.slice(0, 0xffff);
    this.uint16(text.length);
    this.unicode(text);
  }

  /** Writes what `write` writes, behind a USHORT that counts its bytes. */
  sized16(write: () => void): void {
    const at = this.advance(2);
    write();
    this.bytes.writeUInt16LE(this.used - at - 2, at);
  }

  /** Writes what `write` writes, behind a ULONG that counts its bytes. */
  sized32(write: () => void): void {
    const at = this.advance(4);
    write();
    this.bytes.writeUInt32LE(this.used - at - 4, at);
  }

  /** Creates room for `size` bytes and returns the offset where they go. */
  private advance(size: number): number {
    const at = this.used;
    this.used += size;
    if (this.used > this.bytes.length) this.grow();
    return at;
  }

  private grow(): void {
    const bytes = Buffer.allocUnsafe(Math.max(this.used + SPARE, this.bytes.length * 2));
    this.bytes.copy(bytes);
    this.bytes = bytes;
  }
}
