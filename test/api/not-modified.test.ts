/** A 304 has the headers by which caches store and find a reply, just as the 200 has them (RFC 9110 15.4.5). */

import { expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { png } from '../support/pictures.ts';

const app = useApp({ sampleCalendar: true });
const site = () => new URL(app.stack.url).origin;
const calendar = () => app.stack.calendar;
const records = () => `${app.base}/v8.0`;

/** Returns the address of what a list has first. */
async function firstOf(list: string, name: string): Promise<string> {
  const body = await (await fetch(list)).json();
  return `${list}/${body[name][0].id}`;
}

/** Uploads a picture, and returns the address of its bytes. */
async function picture(): Promise<string> {
  const reply = await fetch(`${site()}/wp-json/wp/v2/media`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${app.token('alice@example.org')}`,
      'Content-Type': 'image/png',
      'Content-Disposition': 'attachment; filename="dot.png"',
    },
    body: new Uint8Array(png()),
  });
  return ((await reply.json()) as { source_url: string }).source_url;
}

const addresses: Readonly<Record<string, () => string | Promise<string>>> = {
  'a list of events': () => `${calendar()}/events`,
  'an event': () => firstOf(`${calendar()}/events`, 'events'),
  'an event in iCalendar': async () => `${await firstOf(`${calendar()}/events`, 'events')}.ics`,
  'a list of venues': () => `${calendar()}/venues`,
  'a category': () => firstOf(`${calendar()}/categories`, 'categories'),
  'the changes of the calendar': () => `${calendar()}/changes`,
  'the feed': () => `${calendar()}/events.ics`,
  'a feed for readers': () => `${site()}/events/feed/`,
  'the bytes of a picture': picture,
  'a page': () => `${site()}/calendar`,
  'an object': () => `${records()}/documents/document-contract`,
  'fields of an object': () => `${records()}/documents/document-contract?fields=id`,
  'custom data': () => `${records()}/documents/document-contract/custom-data`,
  'one value of custom data': () => `${records()}/documents/document-contract/custom-data/remarks`,
  'a list of reference data': () => `${records()}/reference-data/languages`,
  'the changes of records': () => `${records()}/changes`,
};

/** Headers by which caches decide what to store, for whom, and whether it is what was asked for. */
const ofCaches = ['cache-control', 'content-location', 'etag', 'expires', 'last-modified', 'vary'];

test.each(Object.entries(addresses))('%s', async (name, addressOf) => {
  const url = await addressOf();
  const headers = url.startsWith(records())
    ? { Authorization: `Bearer ${app.token('alice@example.org')}` }
    : {};
  const whole = await fetch(url, { headers });
  await whole.arrayBuffer();
  const etag = whole.headers.get('etag') ?? '';
  expect([name, whole.status, etag]).toEqual([name, 200, expect.stringMatching(/^(?:W\/)?".+"$/)]);
  const again = await fetch(url, { headers: { ...headers, 'If-None-Match': etag } });
  const seen = ({ headers: given }: Response) => ofCaches.map((header) => [header, given.get(header)]);
  expect([again.status, seen(again)]).toEqual([304, seen(whole)]);
});
