/** Texts that name a picture of ours follow it at once, although they are cached and not written. */

import { expect, test } from 'vitest';
import { calendarInMemory } from '../../../../support/calendar-in-memory.ts';

const at = '2030-01-01 00:00:00';
const blobs = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
const keys = blobs.map((blob) => blob.replaceAll('-', '').slice(-16));

/** Returns the write of a picture whose bytes are in a blob; of its deletion without one. */
function picture(id: number, blob?: string) {
  const dates = { date: at, date_utc: at, modified: at, modified_utc: at };
  const stored = {
    blob: `${blob}.png`,
    file: 'a.png',
    mime_type: 'image/png',
    author: 1,
    title: 'A',
    ...dates,
  };
  const url = `urn:picture:${blob}.png`;
  const record = { kind: 'image', id, url, width: 1, height: 1, stored };
  return { key: `image/${id}`, json: blob === undefined ? null : JSON.stringify(record) };
}

test.each(['description', 'excerpt'])('a picture in the %s of an event', async (field) => {
  const calendar = calendarInMemory('2030-05-01 00:00:00');
  const old = (key = '') => `http://old.example.org/pictures/900/${key}/a.png`;
  const text = `<p><img src="${old(keys[0])}" alt="" /><img src="${old(keys[1])}" alt="" /></p>`;
  const dates = { start_date: '2030-06-01 10:00:00', end_date: '2030-06-01 12:00:00' };
  const event = await calendar.create('events', { title: 'E', ...dates, [field]: text });
  const shown = async () => {
    const alone = (await calendar.read('events', event.id))[field];
    const [listed] = (await calendar.list('events')).events;
    expect(listed[field]).toBe(alone);
    return keys.map((key) => !alone.includes(old(key)));
  };
  expect(await shown()).toEqual([false, false]);
  await calendar.put([picture(900, blobs[0])]);
  expect(await shown()).toEqual([true, false]);
  await calendar.put([picture(900, blobs[1])]);
  expect(await shown()).toEqual([false, true]);
  await calendar.put([picture(900)]);
  expect(await shown()).toEqual([false, false]);
  await calendar.update('events', event.id, { [field]: '' });
  await calendar.put([picture(900, blobs[0])]);
  expect((await calendar.read('events', event.id))[field]).toBe('');
});
