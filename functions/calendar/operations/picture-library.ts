/** The uploaded pictures of a calendar: their records in its log, and their bytes in a store. */

import { CodedError, isCodedError } from '../../../shared/errors.ts';
import { FairQueue } from '../../../shared/limits/fair-queue.ts';
import { StallDetector } from '../../../shared/limits/stall-detector.ts';
import { logFailure } from '../../../shared/telemetry/log.ts';
import type { CalendarRequest, RawParameters } from '../model/calendar-context.ts';
import { blobsOf, keyOf } from '../model/image-url.ts';
import type { ImageRecord } from '../model/records.ts';
import { anonymous, type ReadableImage, type Role, readableImage, writtenImage } from '../model/rights.ts';
import { type ByteRange, type PictureStore, picturesUnavailable } from '../pictures/picture-store.ts';
import { sweepOrphans } from '../pictures/sweep.ts';
import { deleteBlobs, discard, type PictureFile, uploadFiles } from '../pictures/upload-files.ts';
import { addressOfCopy } from '../read/copied-pictures.ts';
import { listPictures, type PictureFilters, type PicturePage, readPicture } from '../read/picture-lists.ts';
import { addressOfPage } from '../read/picture-pages.ts';
import type { ReadResult } from '../read/read-context.ts';
import {
  createPicture,
  deletePicture,
  mustUpload,
  noPicture,
  type StoredImage,
  updatePicture,
} from '../write/picture-records.ts';
import type { Committed, ReplicaSession } from './replica-session.ts';

/** A picture that a caller sends. */
export interface PictureUpload {
  /** The picture, and its sizes where the caller has made them, in any order. */
  readonly files: AsyncIterable<PictureFile>;
  /** Returns the texts that came with the files, once these were read. */
  readonly texts: () => RawParameters | Promise<RawParameters>;
}

/** A picture that was stored, now or by an earlier request with the same idempotency key. */
export interface NewPicture {
  readonly picture: ReadableImage<StoredImage>;
  readonly isReplayed: boolean;
}

/** A blob with the facts that replies have. */
export interface PictureBlob {
  readonly blob: string;
  readonly mime_type: string;
  readonly bytes: number;
  /** Date of the upload in UTC. */
  readonly date_utc: string;
}

/** Milliseconds between two sweeps of one process. */
const sweepInterval = 24 * 60 * 60 * 1000;

export class PictureLibrary {
  readonly #store: PictureStore;
  readonly #session: ReplicaSession;
  /** Pictures are in memory whole until they are sent. */
  readonly #reads = new FairQueue({
    name: 'wait to read a picture',
    concurrency: 8,
    maxQueued: 500,
    timeoutMs: 5_000,
    rejection: () =>
      this.#stall.isStalled
        ? picturesUnavailable()
        : new CodedError('overloaded', 'Cannot show the picture: too many pictures are being read.', {
            retryAfter: 1,
          }),
  });
  readonly #stall = new StallDetector((error) => !isCodedError(error, 'pictures-unavailable'));
  /** Milliseconds since 1970 at which the next upload starts a sweep. */
  #nextSweep = 0;

  constructor(store: PictureStore, session: ReplicaSession) {
    this.#store = store;
    this.#session = session;
  }

  list(filters: PictureFilters, request: CalendarRequest): Promise<ReadResult<PicturePage>> {
    return this.#session.read(request, (context) => listPictures(filters, context));
  }

  /** Reads an image; undefined for one that does not exist, or that the caller may not see. */
  read(id: number, request: CalendarRequest): Promise<ReadResult<ReadableImage<ImageRecord> | undefined>> {
    return this.#session.read(request, (context) => readPicture(id, context));
  }

  /** Returns the address of the copy of a picture by the path that it once had; undefined where there is none, or only records that are not public show it. */
  copyOf(path: string, request: CalendarRequest): Promise<ReadResult<string | undefined>> {
    return this.#session.read(request, (context) => addressOfCopy(path, context));
  }

  /** Returns the address of a picture by the path of the page that WordPress has for it; undefined where there is none, or only records that are not public show it. */
  ofPage(path: string, request: CalendarRequest): Promise<ReadResult<string | undefined>> {
    return this.#session.read(request, (context) => addressOfPage(path, context));
  }

  /** Returns an image of the calendar as it was last read. */
  image(id: number): ImageRecord | undefined {
    return this.#session.replica.image(id);
  }

  /** Throws where the caller may not upload pictures. `least` is the role that may, by the way that the request came. */
  async mustUpload(request: CalendarRequest, least: Role = 'author'): Promise<void> {
    await this.#session.freshness();
    mustUpload(this.#session.context(request), least);
  }

  /** Stores a picture and its sizes: their bytes, and then the record, so that no record is without bytes. */
  async add(upload: PictureUpload, request: CalendarRequest, least: Role = 'author'): Promise<NewPicture> {
    const { result: image, isReplayed } = await this.#session.creations.run('picture', request, () =>
      this.#commitUpload(upload, request, least),
    );
    this.#sweepDaily();
    return { picture: isReplayed ? this.#readAgain(image, request) : writtenImage(image), isReplayed };
  }

  async #commitUpload(
    { files, texts }: PictureUpload,
    request: CalendarRequest,
    least: Role,
  ): Promise<Committed<StoredImage>> {
    const uploaded = await uploadFiles(this.#store, files);
    const blobs = [uploaded.picture, ...uploaded.sizes.values()];
    try {
      const parameters = await texts();
      const committed = await this.#session.commit({ ...request, parameters }, true, (write) =>
        createPicture(write, uploaded, least),
      );
      if (committed.isReplayed) await discard(this.#store, blobs);
      return committed;
    } catch (error) {
      // After an unknown outcome the record may exist.
      const isCertain = isCodedError(error) && error.code !== 'calendar-outcome-unknown';
      if (isCertain) await discard(this.#store, blobs);
      throw error;
    }
  }

  /** Starts a sweep, at most once a day. No caller waits for it. */
  #sweepDaily(): void {
    const now = Date.now();
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + sweepInterval;
    this.sweep(now).catch((error: unknown) => logFailure(undefined, error));
  }

  /** Shows a picture that an earlier request has stored, as far as the caller may see it now. */
  #readAgain(image: StoredImage, request: CalendarRequest): ReadableImage<StoredImage> {
    const { caller } = this.#session.context(request);
    const picture = readableImage(caller, image, this.#session.replica);
    if (picture === undefined) throw noPicture();
    return picture;
  }

  async update(
    id: number,
    request: CalendarRequest,
    least: Role = 'author',
  ): Promise<ReadableImage<StoredImage>> {
    const { result } = await this.#session.commit(request, true, (write) => updatePicture(write, id, least));
    return writtenImage(result);
  }

  /** Deletes a picture: its record, and then its bytes. Where these remain, a sweep deletes them. */
  async delete(
    id: number,
    request: CalendarRequest,
    least: Role = 'author',
  ): Promise<ReadableImage<StoredImage>> {
    const { result } = await this.#session.commit(request, true, (write) => deletePicture(write, id, least));
    await deleteBlobs(this.#store, blobsOf(result).values());
    return writtenImage(result);
  }

  /**
   * Finds the blob of a picture, or of one of its sizes, by the name of its file and the key of its address; undefined where it does not
   * exist. Without a key, as addresses once were, only a picture is found that a public record shows.
   */
  async find(id: number, file: string, key?: string): Promise<PictureBlob | undefined> {
    await this.#session.freshness(this.#session.stalenessFor({ caller: anonymous }));
    const picture = this.#find(id, file, key);
    if (picture !== undefined) return picture;
    // Whoever asks for it may know more than this process has read.
    await this.#session.freshness();
    return this.#find(id, file, key);
  }

  #find(id: number, file: string, key: string | undefined): PictureBlob | undefined {
    const { replica } = this.#session;
    replica.publishDue();
    const image = replica.image(id);
    const blob = image && blobsOf(image).get(file);
    if (blob === undefined || image?.stored === undefined) return undefined;
    const isOpen = key === undefined ? replica.isPublicImage(id) : key === keyOf(image.stored);
    if (!isOpen) return undefined;
    const { mime_type, date_utc } = image.stored;
    const size = Object.values(image.sizes ?? {}).find((item) => item.file === file);
    const type = size?.['mime-type'] ?? mime_type;
    return { blob, mime_type: type, date_utc, bytes: (size ?? image).filesize ?? 0 };
  }

  /** Reads the bytes of a blob, or a part of them; undefined where the store has none. */
  bytes({ blob }: PictureBlob, range?: ByteRange, callerKey = ''): Promise<Uint8Array | undefined> {
    return this.#reads.run([callerKey], () => this.#stall.watch(() => this.#store.read(blob, range)));
  }

  /** Deletes the bytes of pictures without a record. What a record names that this version cannot read stays. Returns their number. */
  async sweep(now?: number): Promise<number> {
    const { replica } = this.#session;
    await this.#session.freshness();
    const usedNames = new Set([...replica.images()].flatMap((image) => [...blobsOf(image).values()]));
    const unreadable = [...replica.unreadable()];
    const isUsed = (blob: string) => usedNames.has(blob) || unreadable.some((json) => json.includes(blob));
    return sweepOrphans(this.#store, isUsed, now);
  }
}
