/** Pictures of a team: contributors add them to what they submit, editors choose and describe what is stored. */

import { describe, expect, test } from 'vitest';
import { outcome, type Person, useCalendarApp } from '../support/calendar-app.ts';
import { png } from '../support/pictures.ts';

const app = useCalendarApp();
const times = { start_date: '2031-05-01 19:00:00', end_date: '2031-05-01 21:00:00' };

async function upload(as: Person, texts = '') {
  const reply = await fetch(`${app.root}/pictures${texts}`, {
    method: 'POST',
    body: new Uint8Array(png()),
    headers: {
      Authorization: `Bearer ${app.token(as)}`,
      'Content-Disposition': 'attachment; filename="a.png"',
    },
  });
  return { status: reply.status, body: JSON.parse(await reply.text()) };
}

describe('a contributor', () => {
  test('adds a picture to what they submit, which others see once it is published', async () => {
    const { status, body } = await upload('contributor', '?alt_text=A+quay');
    expect(status).toBe(201);
    const picture = `/pictures/${body.id}`;
    expect((await app.call('GET', picture, { as: 'contributor' })).status).toBe(200);
    for (const as of ['reader', 'author'] as const)
      expect((await app.call('GET', picture, { as })).status).toBe(404);
    expect(
      (await app.call('PATCH', picture, { as: 'contributor', body: { alt_text: 'The quay' } })).body.alt_text,
    ).toBe('The quay');
    const fields = { title: 'With a picture', ...times, status: 'pending', image: body.id };
    const event = await app.create('events', fields, 'contributor');
    expect(event.image.alt).toBe('The quay');
    await app.change(`/events/${event.id}`, { status: 'publish' });
    expect((await app.call('GET', picture)).status).toBe(200);
    // It is no longer theirs alone.
    expect(
      outcome(await app.call('PATCH', picture, { as: 'contributor', body: { alt_text: 'Mine' } })),
    ).toEqual([403, 'rest_forbidden']);
    expect(outcome(await app.call('DELETE', picture, { as: 'contributor' }))).toEqual([
      403,
      'rest_forbidden',
    ]);
  });

  test('neither sees nor changes the pictures of others, and stores no more than fifty that nobody else sees', async () => {
    const { body: others } = await upload('author');
    expect((await app.call('GET', `/pictures/${others.id}`, { as: 'contributor' })).status).toBe(404);
    expect((await app.call('PATCH', `/pictures/${others.id}`, { as: 'contributor', body: {} })).status).toBe(
      403,
    );
    const fields = { title: 'Taken', ...times, image: others.id };
    expect((await app.call('POST', '/events', { as: 'contributor', body: fields })).status).toBe(400);
    const replies = await Promise.all(Array.from({ length: 60 }, () => upload('contributor')));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(
      outcome({ ...replies.find(({ status }) => status !== 201), headers: new Headers() } as never),
    ).toEqual([403, 'rest_cannot_create']);
    expect((await upload('reader')).status).toBe(403);
  });
});

test('credit and licence of a picture are changed, and told where it is shown', async () => {
  const { body } = await upload('editor', '?alt_text=A+quay');
  const texts = { alt_text: '', credit: 'Ann <b>Jensen</b> & Co', license: 'CC BY 4.0' };
  const reply = await app.call('PATCH', `/pictures/${body.id}`, { as: 'editor', body: texts });
  expect(reply.body).toMatchObject({ alt_text: '', credit: 'Ann Jensen & Co', license: 'CC BY 4.0' });
  const event = await app.create('events', { title: 'Shown', slug: 'shown', ...times, image: body.id });
  expect(event.image).toMatchObject({ credit: 'Ann Jensen & Co', license: 'CC BY 4.0' });
  expect(event.image).not.toHaveProperty('alt');
  const page = await (await fetch(`${new URL(app.root).origin}/event/shown/`)).text();
  expect(page).toContain('<figcaption class="muted">Ann Jensen &amp; Co, CC BY 4.0</figcaption>');
  for (const as of ['otherAuthor', 'contributor'] as const)
    expect((await app.call('PATCH', `/pictures/${body.id}`, { as, body: texts })).status).toBe(403);
});
