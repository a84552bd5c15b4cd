/** What cameras write into pictures beside their pixels (Exif 2.32): how the picture is held, and where it was taken. */

/** Tags of an Exif directory. */
const orientationTag = 0x0112;
const gpsTag = 0x8825;
/** Bytes of an entry of a directory: tag, type, count, and the value or where it lies. */
const entryBytes = 12;
/** Bytes of one value by its type. */
const bytesOfType: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8 };

/** Reads numbers of a TIFF structure in its order of bytes; 0 outside of it. */
function readerOf(tiff: Buffer) {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  return {
    uint16: (at: number) =>
      at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at),
    uint32: (at: number) =>
      at + 4 > tiff.length ? 0 : isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at),
  };
}

/** Returns where the entries of the directory at an offset lie, with their tags. */
function entriesOf(tiff: Buffer, directory: number): { readonly tag: number; readonly at: number }[] {
  const { uint16 } = readerOf(tiff);
  const room = Math.max(0, Math.floor((tiff.length - directory - 2) / entryBytes));
  const count = Math.min(uint16(directory), room);
  return Array.from({ length: count }, (_, index) => directory + 2 + index * entryBytes).map((at) => ({
    tag: uint16(at),
    at,
  }));
}

/** Checks whether a picture is held on its side: its width is shown as its height. */
export function isTurned(tiff: Buffer): boolean {
  const { uint16, uint32 } = readerOf(tiff);
  const entry = entriesOf(tiff, uint32(4)).find(({ tag }) => tag === orientationTag);
  const orientation = entry === undefined ? 1 : uint16(entry.at + 8);
  return orientation >= 5 && orientation <= 8;
}

/** Overwrites where a picture was taken, in place. */
export function eraseLocation(tiff: Buffer): void {
  const { uint32 } = readerOf(tiff);
  for (const { tag, at } of entriesOf(tiff, uint32(4))) {
    if (tag !== gpsTag) continue;
    const directory = uint32(at + 8);
    for (const entry of entriesOf(tiff, directory)) eraseEntry(tiff, entry.at);
    tiff.fill(0, Math.min(directory, tiff.length), Math.min(directory + 2, tiff.length));
  }
}

/** Overwrites an entry, and its value where that lies elsewhere. */
function eraseEntry(tiff: Buffer, at: number): void {
  const { uint16, uint32 } = readerOf(tiff);
  const bytes = (bytesOfType[uint16(at + 2)] ?? 0) * uint32(at + 4);
  const value = uint32(at + 8);
  if (bytes > 4 && value < tiff.length) tiff.fill(0, value, Math.min(value + bytes, tiff.length));
  tiff.fill(0, at, at + entryBytes);
}

/** Where a picture was taken, in XMP: attributes or elements of the Exif schema. */
const xmpLocation = /(exif:GPS\w+\s*=\s*)("[^"]*"|'[^']*')|(<exif:GPS\w+[^>]*>)([^<]*)(?=<\/exif:GPS)/g;

/** Overwrites where a picture was taken in a packet of XMP, in place. */
export function eraseXmpLocation(packet: Buffer): void {
  const erased = packet
    .toString('latin1')
    .replace(xmpLocation, (_, name: string, value: string, tag: string, text: string) =>
      name === undefined
        ? tag + ' '.repeat(text.length)
        : `${name}${value[0]}${' '.repeat(value.length - 2)}${value[0]}`,
    );
  packet.write(erased, 'latin1');
}
