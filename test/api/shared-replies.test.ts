/** Replies that caches keep and give to other callers: nothing in them is of one request. */

import { expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';
import { png } from '../support/pictures.ts';

const app = useCalendarApp({ SERVER_TIMING: 'true' });

test('replies for all callers have the same headers, whatever the headers of a request', async () => {
  const { origin } = new URL(app.root);
  const media = `${origin}/wp-json/wp/v2/media`;
  const authorization = { Authorization: `Bearer ${app.token('editor')}` };
  const uploaded = await fetch(media, {
    method: 'POST',
    body: new Uint8Array(png()),
    headers: { ...authorization, 'Content-Disposition': 'attachment; filename="a.png"' },
  });
  const { id, source_url } = (await uploaded.json()) as { readonly id: number; readonly source_url: string };
  const dates = { start_date: '2031-05-01 19:00:00', end_date: '2031-05-01 21:00:00' };
  await app.create('events', { title: 'Shown', ...dates, image: id });
  const page = await (await fetch(`${origin}/calendar`)).text();
  const files = [...page.matchAll(/(?:href|src)="([^"]*\/pages\/[^"]+)"/g)].map(([, path = '']) =>
    path.replaceAll('&amp;', '&'),
  );
  expect(files.length).toBeGreaterThan(2);
  const earlier = source_url.replace(/[0-9a-f]{16}\//, '');
  const addresses = [source_url, earlier, ...files, '/robots.txt', '/embed.js', '/sitemap.xml'];
  for (const address of addresses) {
    const replyTo = async (headers: Readonly<Record<string, string>>) => {
      const reply = await fetch(new URL(address, origin), { headers });
      await reply.arrayBuffer();
      expect([address, reply.status, reply.headers.get('cache-control')]).toEqual([
        address,
        200,
        expect.stringMatching(/^public, max-age=\d{4,}/),
      ]);
      const kept = Object.fromEntries(reply.headers);
      // The time of the reply, which caches count its age from.
      return { ...kept, date: '' };
    };
    const plain = await replyTo({});
    const other = await replyTo({
      ...authorization,
      Origin: 'https://other.example.org',
      'X-Request-Id': 'mine',
      traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
      'X-Forwarded-Host': 'evil.example.org',
    });
    expect([address, other]).toEqual([address, plain]);
    expect(Object.keys(plain).filter((name) => /^(?:x-|server-timing|trace|link)/.test(name))).toEqual([
      'x-content-type-options',
    ]);
  }
});
