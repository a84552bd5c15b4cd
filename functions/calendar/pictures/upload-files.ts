/** Stores the files of one upload: a picture and its sizes, all or none. */

import { CodedError } from '../../../shared/errors.ts';
import { logFailure } from '../../../shared/telemetry/log.ts';
import { checkSize, isSizeName, repeatedSize, type SizeName, unknownSize } from './picture-sizes.ts';
import type { PictureStore } from './picture-store.ts';
import { type UploadedPicture, uploadPicture } from './upload.ts';

/** A file that a caller sends. */
export interface PictureFile {
  /** Name of the size that it is; undefined for the picture itself. */
  readonly size: string | undefined;
  /** Name of the file. */
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** MD5 that the bytes must have, in base64 or hexadecimal. */
  readonly md5?: string | undefined;
}

/** A picture whose bytes are stored, with its sizes. */
export interface UploadedFiles {
  /** Name of the file. */
  readonly name: string;
  readonly picture: UploadedPicture;
  readonly sizes: ReadonlyMap<SizeName, UploadedPicture>;
}

interface StoredFile {
  readonly size: SizeName | undefined;
  readonly name: string;
  readonly uploaded: UploadedPicture;
}

/** Stores files while they arrive, in any order. Throws a CodedError where one is refused; what was stored is deleted then. */
export async function uploadFiles(
  store: PictureStore,
  files: AsyncIterable<PictureFile>,
): Promise<UploadedFiles> {
  const storedFiles: StoredFile[] = [];
  try {
    for await (const { size, name, chunks, md5 } of files) {
      mustBeNew(size, storedFiles);
      const usedBytes = storedFiles.reduce((sum, { uploaded }) => sum + uploaded.bytes, 0);
      storedFiles.push({ size, name, uploaded: await uploadPicture(store, chunks, { md5, usedBytes }) });
    }
    return joinFiles(storedFiles);
  } catch (error) {
    await discard(
      store,
      storedFiles.map(({ uploaded }) => uploaded),
    );
    throw error;
  }
}

function mustBeNew(
  size: string | undefined,
  stored: readonly StoredFile[],
): asserts size is SizeName | undefined {
  if (size !== undefined && !isSizeName(size)) throw unknownSize(size);
  if (stored.some((file) => file.size === size)) throw repeatedSize(size ?? 'file');
}

function joinFiles(stored: readonly StoredFile[]): UploadedFiles {
  const original = stored.find(({ size }) => size === undefined);
  if (original === undefined)
    throw new CodedError('rest_upload_no_data', 'Cannot store the picture: the request has no file.');
  const { name, uploaded: picture } = original;
  const sizes = new Map<SizeName, UploadedPicture>();
  for (const { size, uploaded } of stored) {
    if (size === undefined) continue;
    checkSize(size, uploaded, picture);
    sizes.set(size, uploaded);
  }
  return { name, picture, sizes };
}

/** Deletes the blobs of an upload that has no record. */
export function discard(store: PictureStore, uploaded: Iterable<UploadedPicture>): Promise<void> {
  return deleteBlobs(
    store,
    Array.from(uploaded, ({ blob }) => blob),
  );
}

/** Deletes blobs without a record, as far as the store answers. A sweep finds those that remain. */
export async function deleteBlobs(store: PictureStore, blobs: Iterable<string>): Promise<void> {
  const deletions = Array.from(blobs, (blob) =>
    store.delete(blob).catch((error: unknown) => logFailure(undefined, error)),
  );
  await Promise.all(deletions);
}
