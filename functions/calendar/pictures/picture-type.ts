/** The types of pictures, by the bytes that they begin with: JPEG, PNG, GIF, WebP and AVIF. SVG is not among them, since it may hold scripts. */

import { eraseLocation, eraseXmpLocation, isTurned } from './exif.ts';

export const pictureTypes = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
} as const;

export type PictureType = keyof typeof pictureTypes;

export interface PictureFacts {
  readonly type: PictureType;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** The first bytes of a picture, which must hold its size. Cameras write previews and texts before it. */
export const headBytes = 512 * 1024;
/** Bytes at the end of a picture in which its end must be. Behind it cameras write further data. */
export const tailBytes = 64 * 1024;

type Size = Omit<PictureFacts, 'type'>;

interface Format {
  readonly type: PictureType;
  matches(head: Buffer): boolean;
  /** Returns the size; undefined where the head is damaged. */
  sizeOf(head: Buffer): Size | undefined;
  /** Checks whether a picture of a number of bytes ends as it should. */
  isComplete(tail: Buffer, bytes: number, head: Buffer): boolean;
  /** Returns what cameras have written, as parts of the head: Exif as TIFF, and XMP as XML. */
  metadataOf?(head: Buffer): readonly Metadata[];
}

interface Metadata {
  readonly kind: 'exif' | 'xmp';
  readonly bytes: Buffer;
}

const ascii = (head: Buffer, start: number, end: number) => head.toString('latin1', start, end);

const pngEnd = Buffer.from('49454e44ae426082', 'hex');
const jpegEnd = Buffer.from([0xff, 0xd9]);

const formats: readonly Format[] = [
  {
    type: 'image/png',
    matches: (head) => head.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
    sizeOf: (head) =>
      ascii(head, 12, 16) === 'IHDR' && head.length >= 24
        ? { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
        : undefined,
    isComplete: (tail) => tail.includes(pngEnd),
  },
  {
    type: 'image/jpeg',
    matches: (head) => head.length > 2 && head.readUIntBE(0, 3) === 0xffd8ff,
    sizeOf: jpegSize,
    isComplete: (tail) => tail.includes(jpegEnd),
    metadataOf: jpegMetadata,
  },
  {
    type: 'image/gif',
    matches: (head) => /^GIF8[79]a/.test(ascii(head, 0, 6)),
    sizeOf: (head) =>
      head.length >= 10 ? { width: head.readUInt16LE(6), height: head.readUInt16LE(8) } : undefined,
    isComplete: (tail) => tail.subarray(-16).includes(0x3b),
  },
  {
    type: 'image/webp',
    matches: (head) => ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WEBP',
    sizeOf: webpSize,
    isComplete: (_tail, bytes, head) => head.readUInt32LE(4) + 8 <= bytes,
  },
  {
    type: 'image/avif',
    matches: (head) => ascii(head, 4, 8) === 'ftyp' && /avi[fs]/.test(ascii(head, 8, 64)),
    sizeOf: avifSize,
    isComplete: (_tail, bytes, head) => endOfBoxes(head) <= bytes,
  },
];

/** A format that was recognized by its first bytes. */
export interface RecognizedPicture {
  readonly type: PictureType;
  /** The facts; undefined where the picture is damaged. */
  readonly facts: PictureFacts | undefined;
  isComplete(tail: Buffer, bytes: number): boolean;
  /** Overwrites in the head where the picture was taken. */
  eraseLocation(): void;
}

/** Recognizes a picture by its head; undefined for bytes of another type. */
export function recognizePicture(head: Buffer): RecognizedPicture | undefined {
  const format = formats.find(({ matches }) => matches(head));
  if (format === undefined) return undefined;
  const { type } = format;
  const size = format.sizeOf(head);
  const hasPixels = size !== undefined && size.width > 0 && size.height > 0;
  const metadata = format.metadataOf?.(head) ?? [];
  const isOnItsSide = metadata.some(({ kind, bytes }) => kind === 'exif' && isTurned(bytes));
  const shown = size && (isOnItsSide ? { width: size.height, height: size.width } : size);
  return {
    type,
    facts: hasPixels && shown ? { type, ...shown } : undefined,
    isComplete: (tail, bytes) => format.isComplete(tail, bytes, head),
    eraseLocation() {
      for (const { kind, bytes } of metadata) (kind === 'exif' ? eraseLocation : eraseXmpLocation)(bytes);
    },
  };
}

interface Segment {
  readonly marker: number;
  /** Where its content begins and ends in the head. */
  readonly start: number;
  readonly end: number;
}

/** Reads the segments of a JPEG up to its pixels (ITU T.81, B.1). */
function* jpegSegments(head: Buffer): Generator<Segment> {
  for (let at = 2; at + 4 <= head.length; ) {
    if (head[at] !== 0xff) return;
    const marker = head[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const end = at + 2 + head.readUInt16BE(at + 2);
    if (marker === 0xda) return;
    yield { marker, start: at + 4, end };
    at = end;
  }
}

/** Reads the size of a JPEG from the start of its frame (ITU T.81, B.2.2). */
function jpegSize(head: Buffer): Size | undefined {
  for (const { marker, start } of jpegSegments(head)) {
    // C4, C8 and CC are other tables.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && start + 5 <= head.length)
      return { height: head.readUInt16BE(start + 1), width: head.readUInt16BE(start + 3) };
  }
  return undefined;
}

const exifName = 'Exif\0\0';
const xmpName = 'http://ns.adobe.com/xap/1.0/\0';

function jpegMetadata(head: Buffer): readonly Metadata[] {
  return [...jpegSegments(head)].flatMap(({ marker, start, end }) => {
    if (marker !== 0xe1) return [];
    const content = head.subarray(start, end);
    const isNamed = (name: string) => content.subarray(0, name.length).toString('latin1') === name;
    if (isNamed(exifName)) return { kind: 'exif', bytes: content.subarray(exifName.length) };
    if (isNamed(xmpName)) return { kind: 'xmp', bytes: content.subarray(xmpName.length) };
    return [];
  });
}

/** Reads the first chunk of a WebP (RFC 9649). */
function webpSize(head: Buffer): Size | undefined {
  if (head.length < 30) return undefined;
  const chunk = ascii(head, 12, 16);
  if (chunk === 'VP8X') return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
  if (chunk === 'VP8 ')
    return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
  if (chunk !== 'VP8L') return undefined;
  const bits = head.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

/** Returns the largest size among the image properties (ISO/IEC 23008-12, `ispe`). Parts of a grid and previews are smaller. */
function avifSize(head: Buffer): Size | undefined {
  let largest: Size | undefined;
  for (
    let at = head.indexOf('ispe');
    at !== -1 && at + 16 <= head.length;
    at = head.indexOf('ispe', at + 4)
  ) {
    const size = { width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) };
    if (largest === undefined || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}

/** Returns the end of the last box that begins in the head; infinity where the boxes are damaged, or where none holds the picture. */
function endOfBoxes(head: Buffer): number {
  let end = 0;
  // A small picture may lie among its properties.
  let hasData = head.includes('idat');
  while (end + 8 <= head.length) {
    const size = head.readUInt32BE(end);
    hasData ||= ascii(head, end + 4, end + 8) === 'mdat';
    // A box of size 0 extends to the end; one of size 1 has its size in 64 bits, which no upload reaches.
    if (size === 0) return 0;
    if (size < 8) return Number.POSITIVE_INFINITY;
    end += size;
  }
  return hasData || end > head.length ? end : Number.POSITIVE_INFINITY;
}
