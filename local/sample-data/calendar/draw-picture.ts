/** Draws the pictures of the sample calendar: hills under an evening sky, as PNG. */

import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [red: number, green: number, blue: number];

export interface Scene {
  /** Colours of the sky, from the top to the horizon. */
  readonly sky: readonly [Colour, Colour];
  readonly hills: Colour;
  /** Sets the shapes of the hills. */
  readonly seed: number;
}

const width = 960;
const height = 540;
const hillRows = 4;

/** Returns a picture of a scene. */
export function drawPicture({ sky: [top, horizon], hills, seed }: Scene): Uint8Array<ArrayBuffer> {
  const rows = Buffer.alloc(height * (1 + width * 3));
  const columns = Array.from({ length: width }, (_, x) => x);
  const outlines = Array.from({ length: hillRows }, (_, row) => columns.map(outlineOf(row, seed)));
  const colours = outlines.map((_, row) => mix(horizon, hills, (row + 1) / hillRows));
  for (let y = 0; y < height; y += 1) {
    const sky = mix(top, horizon, y / height);
    for (const x of columns) {
      const row = outlines.findLastIndex((outline) => y > (outline[x] ?? height));
      rows.set(colours[row] ?? sky, y * (1 + width * 3) + 1 + x * 3);
    }
  }
  return pngOf(rows);
}

/** Returns the height of the hills of a row at each place: a few waves, the nearer rows lower. */
function outlineOf(row: number, seed: number): (x: number) => number {
  const base = height * (0.45 + 0.14 * row);
  const waves = [1, 2.3, 5.1].map((frequency, index) => ({
    frequency: (frequency * Math.PI * 2) / width,
    amplitude: 42 / (index + 1),
    phase: seed * (index + 1) + row * 1.7,
  }));
  return (x) =>
    waves.reduce(
      (y, { frequency, amplitude, phase }) => y + amplitude * Math.sin(x * frequency + phase),
      base,
    );
}

function mix(from: Colour, to: Colour, share: number): number[] {
  return from.map((value, index) => Math.round(value + ((to[index] ?? value) - value) * share));
}

/** Writes rows of pixels as PNG (ISO/IEC 15948). */
function pngOf(rows: Buffer): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([signature, ...chunks]));
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8);
  return bytes;
}
