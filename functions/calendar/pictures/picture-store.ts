/** Where the bytes of pictures lie: a folder of blobs for each calendar. */

import type { Credential } from '../../../shared/managed-identity.ts';
import { type BlobStore, type BlobStoreSettings, openBlobStore } from '../blobs/blob-store.ts';

export { type ByteRange, picturesUnavailable } from '../blobs/blob-store.ts';

export type PictureStore = BlobStore;

export interface PictureStoreSettings extends Omit<BlobStoreSettings, 'folder'> {
  /** The name of the calendar. */
  readonly calendar: string;
}

/** Opens the store. Nothing is sent before the first call. */
export function openPictureStore(
  { calendar, ...settings }: PictureStoreSettings,
  credential: () => Credential | Promise<Credential>,
): PictureStore {
  return openBlobStore({ ...settings, folder: encodeURIComponent(calendar) }, credential);
}

/** The store of a calendar without settings for one. Each call names the setting. */
export const noPictures = openPictureStore(
  { connectionString: '', endpoint: '', container: '', calendar: '' },
  () => Promise.reject(new TypeError('No credential exists.')),
);
