/** The calendar for clients that know only passwords: name and password are the id and a secret of an app registration. */

import { describe, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';
import { sendRaw } from '../support/raw-http.ts';

const app = useCalendarApp();
const dates = { start_date: '2031-05-01 19:00:00', end_date: '2031-05-01 21:00:00' };
const basic = (name: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});
const client = (...roles: string[]) => {
  const { clientId, secret } = app.identity.clients.register(roles);
  return { clientId, secret, headers: basic(clientId, secret) };
};

describe('a client id and its secret', () => {
  test('sign in with the role of the client, whose token is asked for once', async () => {
    const { clientId, secret, headers } = client('Calendar.Author');
    const before = app.identity.requests.token;
    const body = { title: 'By a client', ...dates };
    const created = await app.call('POST', '/events', { body, headers });
    expect([created.status, created.body.author]).toEqual([201, expect.stringMatching(/^\d+$/)]);
    const grouped = basic(clientId, ` ${secret.match(/.{1,4}/g)?.join(' ')}`);
    const changed = await app.call('POST', `/events/${created.body.id}`, {
      body: { title: 'Changed' },
      headers: grouped,
    });
    expect([changed.status, changed.body.title]).toEqual([200, 'Changed']);
    const me = await fetch(new URL('/wp-json/wp/v2/users/me', app.root), { headers });
    const { id, name, slug } = (await me.json()) as Record<string, unknown>;
    expect([String(id), name]).toEqual([created.body.author, slug]);
    const foreign = await app.create('events', { title: 'Of somebody else', ...dates });
    const refused = await app.call('POST', `/events/${foreign.id}`, { body: { title: 'x' }, headers });
    expect(refused.status).toBe(403);
    expect(app.identity.requests.token - before).toBe(1);
  });

  test('without a role may read what everybody may', async () => {
    const { headers } = client();
    expect((await app.call('GET', '/events', { headers })).status).toBe(200);
    const { status, body } = await app.call('POST', '/events', { body: { title: 'x', ...dates }, headers });
    expect([status, body.code]).toEqual([403, 'rest_forbidden']);
  });

  test('that are wrong are refused in the shape of the calendar, also where nobody has to sign in', async () => {
    const { clientId } = client('Calendar.Editor');
    const before = app.identity.requests.token;
    for (const [method, path] of [
      ['GET', '/events'],
      ['POST', '/venues'],
      ['GET', '/nothing'],
    ] as const) {
      const reply = await app.call(method, path, { headers: basic(clientId, 'wrong') });
      expect([reply.status, reply.body.code, reply.body.data]).toEqual([
        401,
        'incorrect_password',
        { status: 401 },
      ]);
      expect(reply.headers.get('cache-control')).toBe('no-store');
    }
    expect(app.identity.requests.token - before).toBe(1);
    // Secrets may have dots, as tokens do.
    await app.call('GET', '/events', { headers: basic(clientId, 'wrong.with.dots') });
    expect(app.identity.requests.token - before).toBe(2);
  });

  test('are nothing to the records', async () => {
    const { headers } = client('Service.Access');
    const base = app.root.replace('/tribe/events/v1', '');
    const { status } = await fetch(`${base}/v8.0/authorized`, { headers });
    expect(status).toBe(401);
  });
});

describe('behind a proxy that is trusted', () => {
  const request = async (path: string, headers: Readonly<Record<string, string>>) => {
    const lines = Object.entries({ Host: 'app.internal', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const { pathname } = new URL(app.root + path);
    const text = `GET ${pathname} HTTP/1.1\r\n${lines.join('')}Connection: close\r\n\r\n`;
    const { status, body } = await sendRaw(app.root, text);
    return { status, body: JSON.parse(body) };
  };

  test('a password needs https between the client and the proxy', async () => {
    const { headers } = client('Calendar.Editor');
    expect((await request('/events', { ...headers, 'X-Forwarded-Proto': 'https' })).status).toBe(200);
    for (const forwarded of [{}, { 'X-Forwarded-Proto': 'http' }, { 'X-Forwarded-Proto': 'gopher' }]) {
      const { status, body } = await request('/events', { ...headers, ...forwarded });
      expect([status, body.code, body.message]).toEqual([
        401,
        'incorrect_password',
        expect.stringContaining('over https only'),
      ]);
    }
  });

  test('links name the address that the client asked for', async () => {
    const { id } = await app.create('events', { title: 'Linked', ...dates });
    const forwarded = {
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'www.example.org, proxy.internal',
      'X-Forwarded-Prefix': '/blog/',
    };
    const { body } = await request(`/events/${id}`, forwarded);
    expect(body.rest_url).toBe(`https://www.example.org/blog${new URL(app.root).pathname}/events/${id}`);
    const tag = await fetch(new URL('/tag/linked/', app.root), { headers: forwarded, redirect: 'manual' });
    expect(tag.headers.get('location')).toBe('https://www.example.org/blog/calendar?tags=linked');
    const odd = await request(`/events/${id}`, {
      'X-Forwarded-Host': 'user@evil.example/path',
      'X-Forwarded-Prefix': '//evil.example',
    });
    expect(odd.body.rest_url).toBe(`http://app.internal${new URL(app.root).pathname}/events/${id}`);
  });
});
