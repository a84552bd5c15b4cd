/** Where the bytes of pictures lie: a folder of blobs for each calendar. */

import type { Credential } from '../../../shared/managed-identity.ts';
import {
  type BlobStore,
  type BlobStoreSettings,
  blobsUnavailable,
  openBlobStore,
} from '../blobs/blob-store.ts';

export type { ByteRange } from '../blobs/blob-store.ts';

export type PictureStore = BlobStore;

export interface PictureStoreSettings extends Omit<BlobStoreSettings, 'folder' | 'contents'> {
  /** The name of the calendar. */
  readonly calendar: string;
}

/** Opens the store. Nothing is sent before the first call. */
export function openPictureStore(
  { calendar, ...settings }: PictureStoreSettings,
  credential: () => Credential | Promise<Credential>,
): PictureStore {
  return openBlobStore(
    { ...settings, folder: encodeURIComponent(calendar), contents: 'pictures' },
    credential,
  );
}

/** Creates the error of a storage of pictures that does not answer. */
export function picturesUnavailable(): Error {
  return blobsUnavailable('pictures');
}

/** The store of a calendar without settings for one. Each call names the setting. */
export const noPictures = openPictureStore(
  { connectionString: '', endpoint: '', container: '', calendar: '' },
  () => Promise.reject(new TypeError('No credential exists.')),
);
