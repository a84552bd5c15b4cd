/** Copies the bytes of pictures from one container to another: a backup of them, or its restoration. */

import { openPictureStore, type PictureStore } from '../../functions/calendar/pictures/picture-store.ts';
import { pictureTypes } from '../../functions/calendar/pictures/picture-type.ts';
import { callTimeout } from './call-timeout.ts';
import { type SignIn, signIn } from './sign-in.ts';

export interface CopiedPictures {
  readonly copied: number;
  /** Pictures that the other container has already. */
  readonly present: number;
}

/** Opens the pictures of a calendar by the address of a blob service or its connection string, a container, and the calendar. */
export function openPictures(text: string, credential: SignIn = signIn): PictureStore {
  const [, connectionString = '', , endpoint = '', container = '', calendar = ''] =
    /^(?:(\S*AccountName=[^#]+)(#)|(https?:\/\/.+)\/)([a-z0-9][a-z0-9-]{2,62})\/([^/#?]+)$/.exec(text) ?? [];
  if (container === '')
    throw new Error(
      `"${text}" is no place of pictures: it must be <address or connection string>, a container and a calendar.`,
    );
  const settings = { connectionString, endpoint, container, calendar, timeout: callTimeout };
  return openPictureStore(settings, credential);
}

/** Copies the pictures that the other container lacks. The bytes of a name never change, so a copy can be repeated and resumed. */
export async function copyPictures(from: PictureStore, to: PictureStore): Promise<CopiedPictures> {
  const present = new Set<string>();
  for await (const { name } of to.list()) present.add(name);
  let copied = 0;
  let found = 0;
  for await (const { name } of from.list()) {
    if (present.has(name)) found += 1;
    else if (await copy(name, from, to)) copied += 1;
  }
  return { copied, present: found };
}

/** Copies a picture. Returns false for one that was deleted meanwhile. */
async function copy(name: string, from: PictureStore, to: PictureStore): Promise<boolean> {
  const bytes = await from.read(name);
  if (bytes === undefined) return false;
  await to.put(name, chunksOf(bytes), typeOf(name));
  return true;
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function typeOf(name: string): string {
  const type = Object.entries(pictureTypes).find(([, extension]) => name.endsWith(`.${extension}`));
  return type?.[0] ?? 'application/octet-stream';
}
