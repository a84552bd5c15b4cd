/** Pictures that are backed up into another container, and restored from it. */

import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { copyPictures, openPictures } from '../../scripts/calendar/copy-pictures.ts';
import { localBlobs } from '../support/shared-emulators.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { timerIsSet, useFakeTimeouts } from '../support/timers.ts';

const newPlace = () => `${localBlobs()}#pictures-${randomUUID().slice(0, 8)}/default`;

async function* chunks(text: string) {
  yield Buffer.from(text);
}

test('a copy of pictures has those that the other container lacks, and can be repeated and restored', async () => {
  const source = openPictures(newPlace());
  const backup = openPictures(newPlace());
  const restored = openPictures(newPlace());
  for (const name of ['a.png', 'b.jpg']) await source.put(name, chunks(`bytes of ${name}`), 'image/png');
  expect(await copyPictures(source, backup)).toEqual({ copied: 2, present: 0 });
  await source.put('c.gif', chunks('bytes of c.gif'), 'image/gif');
  await source.delete('a.png');
  expect(await copyPictures(source, backup)).toEqual({ copied: 1, present: 1 });
  expect(await copyPictures(backup, restored)).toEqual({ copied: 3, present: 0 });
  for (const name of ['a.png', 'b.jpg', 'c.gif'])
    expect((await restored.read(name))?.toString()).toBe(`bytes of ${name}`);
});

test('a copy of pictures waits for half a minute for a storage that does not answer', async () => {
  await using proxy = await startTcpProxy(Number(/:(\d+)\//.exec(localBlobs())?.[1]));
  const place = newPlace().replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${proxy.port}`);
  const pictures = openPictures(place);
  await pictures.put('a.png', chunks('bytes'), 'image/png');
  proxy.silent = 'replies';
  useFakeTimeouts();
  let hasEnded = false;
  const read = pictures.read('a.png').finally(() => {
    hasEnded = true;
  });
  read.catch(() => {});
  await timerIsSet();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(hasEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(read).rejects.toMatchObject({ code: 'pictures-unavailable' });
});

test.each(['', 'nowhere', 'https://x.blob.core.windows.net/pictures', 'https://x/UPPER/default'])(
  'a place of pictures is not %j',
  (text) => {
    expect(() => openPictures(text)).toThrow('is no place of pictures');
  },
);
