import { expect, test } from 'vitest';
import { storedPrefix } from '../../../../../functions/calendar/model/image-url.ts';
import { siteOf } from '../../../../../functions/calendar/model/site.ts';
import { PictureLibrary } from '../../../../../functions/calendar/operations/picture-library.ts';
import { ReplicaSession } from '../../../../../functions/calendar/operations/replica-session.ts';
import type { PictureStore } from '../../../../../functions/calendar/pictures/picture-store.ts';
import { orphanAge } from '../../../../../functions/calendar/pictures/sweep.ts';

test('a sweep deletes what no record has, and of a record neither the picture nor a size', async () => {
  const blobs = new Set(['whole.png', 'small.png', 'orphan.png', 'of-a-later-version.png']);
  const store: Pick<PictureStore, 'list' | 'delete'> = {
    async *list() {
      for (const name of [...blobs]) yield { name, changed: 0 };
    },
    delete: async (name) => void blobs.delete(name),
  };
  const at = '2030-01-01 00:00:00';
  const size = { width: 1, height: 1, 'mime-type': 'image/png', file: 'a-thumbnail.png' };
  const image = {
    kind: 'image',
    id: 1,
    url: `${storedPrefix}whole.png`,
    sizes: { thumbnail: { ...size, url: `${storedPrefix}small.png` } },
    stored: {
      blob: 'whole.png',
      file: 'a.png',
      mime_type: 'image/png',
      author: 1,
      title: 'A',
      date: at,
      date_utc: at,
      modified: at,
      modified_utc: at,
    },
  };
  const session = new ReplicaSession({
    site: siteOf('https://calendar.example.org', 'UTC'),
    openLog(replica) {
      // What another version of the app has written, of a shape or a kind that this one does not know.
      const later = { kind: 'image', id: 2, url: 5, stored: { blob: 'of-a-later-version.png' } };
      replica.apply([
        { key: 'image/1', json: JSON.stringify(image), version: 1 },
        { key: 'image/2', json: JSON.stringify(later), version: 2 },
        { key: 'gallery/3', json: '{"kind":"gallery","id":3}', version: 3 },
      ]);
      return {
        read: async () => ({ version: 1, history: '', stale: false, age: 0 }),
        write: () => Promise.reject(new TypeError('Nothing is written here.')),
        progress: () => ({ version: 1, wanted: 1, records: 1, isWhole: true }),
        close() {},
      };
    },
  });
  const library = new PictureLibrary(store as PictureStore, session);
  expect([await library.sweep(orphanAge), [...blobs]]).toEqual([
    1,
    ['whole.png', 'small.png', 'of-a-later-version.png'],
  ]);
});
