/** Stores an upload while it arrives: its head is checked before its first byte is stored, its end before the blob exists. */

import { createHash, randomUUID } from 'node:crypto';
import { CodedError } from '../../../shared/errors.ts';
import type { PictureStore } from './picture-store.ts';
import {
  headBytes,
  type PictureFacts,
  pictureTypes,
  type RecognizedPicture,
  recognizePicture,
  tailBytes,
} from './picture-type.ts';

/** Bytes of a picture, at most: with the form around it, it fits into the body that the Functions host is set to accept (5 MiB). */
export const maxPictureBytes = 4 * 1024 * 1024;
/** Pixels of a picture, at most: a browser needs four bytes for each. */
const maxPixels = 50_000_000;

/** A picture whose bytes are stored. */
export interface UploadedPicture extends PictureFacts {
  readonly blob: string;
  readonly bytes: number;
  /** MD5 of the bytes as they were sent, in hexadecimal. */
  readonly md5: string;
}

interface UploadOptions {
  /** MD5 of the bytes that the caller expects, in base64 or hexadecimal. */
  readonly md5?: string | undefined;
  /** Bytes, at most. Default: those of a request. */
  readonly maxBytes?: number;
  /** Bytes of other files of the same upload, which count too. Default 0. */
  readonly usedBytes?: number;
}

/** Stores a picture. Throws a CodedError for bytes that are no picture, or too many; nothing is stored then. */
export async function uploadPicture(
  store: PictureStore,
  chunks: AsyncIterable<Uint8Array>,
  options: UploadOptions = {},
): Promise<UploadedPicture> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    return await storePicture(store, iterator, options);
  } finally {
    // The source of a picture that is refused may end with an error, which nobody waits for.
    iterator.return?.().catch(() => {});
  }
}

async function storePicture(
  store: PictureStore,
  iterator: AsyncIterator<Uint8Array>,
  { md5, maxBytes = maxPictureBytes, usedBytes = 0 }: UploadOptions,
): Promise<UploadedPicture> {
  const head = await readHead(iterator, maxBytes, usedBytes);
  if (head.length === 0)
    throw new CodedError('rest_upload_no_data', 'Cannot store the picture: it is empty.');
  const { picture, facts } = recognized(head);
  const blob = `${randomUUID()}.${pictureTypes[facts.type]}`;
  let bytes = 0;
  const hash = createHash('md5');
  let digest = Buffer.alloc(0);

  async function* checked(): AsyncGenerator<Uint8Array> {
    let tail = Buffer.alloc(0);
    for (let chunk: Uint8Array | undefined = head; chunk !== undefined; chunk = await nextOf(iterator)) {
      bytes += chunk.byteLength;
      if (usedBytes + bytes > maxBytes) throw tooLarge(maxBytes);
      hash.update(chunk);
      // Anybody can read the bytes of a public picture; those that the caller's hash is of have been counted.
      if (chunk === head) picture.eraseLocation();
      tail = Buffer.concat([tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes);
      yield chunk;
    }
    if (!picture.isComplete(tail, bytes)) throw damaged();
    digest = hash.digest();
    if (md5 !== undefined && !isHash(md5, digest)) throw otherHash();
  }

  await store.put(blob, checked(), facts.type);
  return { ...facts, blob, bytes, md5: digest.toString('hex') };
}

/** Throws for a body whose length is known to be too large. */
export function mustFitPicture(contentLength: string | null): void {
  if (Number(contentLength ?? 0) > maxPictureBytes + multipartBytes) throw tooLarge(maxPictureBytes);
}

/** Bytes of a form around its file, at most. */
const multipartBytes = 64 * 1024;

function recognized(head: Buffer): { picture: RecognizedPicture; facts: PictureFacts } {
  const picture = recognizePicture(head);
  if (picture === undefined)
    throw new CodedError(
      'rest_upload_sideload_error',
      'Cannot store the picture: it is no JPEG, PNG, GIF, WebP or AVIF.',
      { hint: `Send one of ${Object.keys(pictureTypes).join(', ')}.` },
    );
  const { facts } = picture;
  if (facts === undefined) throw damaged();
  if (facts.width * facts.height > maxPixels)
    throw new CodedError(
      'picture-too-large',
      `Cannot store the picture: it has ${facts.width} x ${facts.height} pixels, more than ${maxPixels}.`,
    );
  return { picture, facts };
}

/** Reads chunks until the head of a picture is there. */
async function readHead(
  iterator: AsyncIterator<Uint8Array>,
  maxBytes: number,
  usedBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size < headBytes) {
    const chunk = await nextOf(iterator);
    if (chunk === undefined) break;
    chunks.push(chunk);
    size += chunk.byteLength;
    if (usedBytes + size > maxBytes) throw tooLarge(maxBytes);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? asBuffer(chunks[0]) : Buffer.concat(chunks);
}

async function nextOf(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  const { done, value } = await iterator.next();
  return done === true ? undefined : value;
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function isHash(expected: string, hash: Buffer): boolean {
  return [hash.toString('hex'), hash.toString('base64')].includes(
    /^[\da-f]{32}$/i.test(expected) ? expected.toLowerCase() : expected,
  );
}

function tooLarge(limit: number): CodedError {
  return new CodedError('body-too-large', `Cannot store the picture: it is larger than ${limit} bytes.`, {
    facts: { limit },
  });
}

function damaged(): CodedError {
  return new CodedError('picture-damaged', 'Cannot store the picture: it is damaged, or not complete.');
}

function otherHash(): CodedError {
  return new CodedError(
    'rest_upload_hash_mismatch',
    'Cannot store the picture: its MD5 is not that of Content-MD5.',
  );
}
