/** docs/excel.md: the addresses of its queries answer as they expect, and what they take from replies is there. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type TestReply, useApp } from '../support/app.ts';
import { recordsAs } from '../support/records.ts';

const app = useApp({ sampleCalendar: true });
const alice = recordsAs(app, 'alice@example.org');
const page = readFileSync(join(import.meta.dirname, '../../docs/excel.md'), 'utf8');
const queries = [...page.matchAll(/```powerquery\n([^`]+)```/g)].map(([, text = '']) => text);

/** Returns the address that a query begins with, below the base path. */
function addressOf(query: string): string {
  const [, first] = /First = Service & "([^"]+)"/.exec(query) ?? [];
  const [, relative] = /RelativePath = "([^"]+)"/.exec(query) ?? [];
  return first ?? `/${relative}`;
}

/** Returns the names that a query has in a list of texts. */
function namesIn(query: string): string[] {
  return (/\{("[^}]+")\}/.exec(query)?.[1] ?? '').split(', ').map((name) => JSON.parse(name) as string);
}

/** Follows pages as the queries do: by the end of a link, and the text between its brackets. */
async function follow(first: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let url: string | null = `${app.base}${first}`; url !== null; ) {
    expect(url.startsWith(`${app.base}/`)).toBe(true);
    const { json, headers }: TestReply = await alice('GET', url.slice(app.base.length));
    rows.push(...(json as unknown[]));
    const links = (headers.get('Link') ?? '').split(', ').filter((link) => link.endsWith('rel="next"'));
    url = links[0] === undefined ? null : links[0].slice(links[0].indexOf('<') + 1, links[0].indexOf('>'));
  }
  return rows;
}

test('the queries of records follow the pages of lists', async () => {
  const [cases = '', contacts = '', expand = ''] = queries;
  const address = addressOf(cases);
  const all = (await alice('GET', address)).json as object[];
  expect(Object.keys(all[0] ?? {})).toEqual(['id', 'number', 'title', 'bkStr01', 'bkDate01']);
  expect(await follow(address.replace('limit=1000', 'limit=1'))).toEqual(all);
  const value = namesIn(expand).map((name) => [name, 'x']);
  await alice('PUT', '/v8.0/journalized-cases/case-road/custom-data/contacts', {
    body: [Object.fromEntries(value)],
  });
  expect(await follow(addressOf(contacts))).toMatchObject([
    { id: 'case-road', value: [Object.fromEntries(value)] },
  ]);
});

test('the query of CSV gets a line of names', async () => {
  const csv = queries.find((query) => query.includes('Csv.Document')) ?? '';
  const { status, text, headers } = await alice('GET', addressOf(csv), { headers: { Accept: 'text/csv' } });
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')]);
  expect(text.split('\r\n').length).toBeGreaterThan(2);
});

test('the query of the calendar follows next_rest_url, and takes fields that events have', async () => {
  const events = queries.find((query) => query.includes('next_rest_url')) ?? '';
  const address = addressOf(events).replace('start_date=2026-01-01', 'start_date=2020-01-01');
  const { json } = await app.call('GET', address.replace('per_page=50', 'per_page=1'));
  const first = json as { events: object[]; next_rest_url: string };
  expect(first.next_rest_url.startsWith(`${app.base}/`)).toBe(true);
  for (const name of namesIn(events)) expect(first.events[0]).toHaveProperty(name);
});

test('a call without a token says where to sign in', async () => {
  const { status, headers } = await app.call('GET', addressOf(queries[0] ?? ''));
  const challenge = headers.get('www-authenticate') ?? '';
  expect([status, challenge]).toEqual([
    401,
    expect.stringMatching(/^Bearer .*authorization_uri="https?:[^"]+"/),
  ]);
});
