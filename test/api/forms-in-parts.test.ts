/** Forms in parts as no client sends them: cut off, mutated, over their limits. Each is answered, and nobody beside it notices. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { followedDuring } from '../support/followed-during.ts';
import { hangUp, headOf } from '../support/hang-up.ts';
import { addLogLine, type LogLine } from '../support/log-lines.ts';
import { png } from '../support/pictures.ts';
import { fc, numRuns } from '../support/properties.ts';
import { untilKeysAreLoaded } from '../support/until-keys-are-loaded.ts';

type Body = Uint8Array | AsyncIterable<Uint8Array>;

const textPart = (name: string, text: string) =>
  `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
const fileHead = (field: string, name = 'filename="a.png"') =>
  `--X\r\nContent-Disposition: form-data; name="${field}"; ${name}\r\n\r\n`;
const end = '--X--\r\n';
const bytesOf = (...parts: readonly (string | Buffer)[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))));

/** A form that is in order for both: of an event, and of a picture. */
const wholeForm = bytesOf(
  textPart('title', 'A form'),
  textPart('start_date', '2031-05-01 19:00:00'),
  textPart('end_date', '2031-05-01 21:00:00'),
  fileHead('other'),
  'ignored\r\n',
  fileHead('file'),
  png(),
  '\r\n',
  textPart('description', 'x'.repeat(500)),
  end,
);

/** One thing that goes wrong with a form on its way. */
const mutation = fc.oneof(
  fc.record({ kind: fc.constant('cut'), at: fc.nat(wholeForm.length) }),
  fc.record({ kind: fc.constant('set'), at: fc.nat(wholeForm.length), byte: fc.nat(255) }),
  fc.record({ kind: fc.constant('remove'), at: fc.nat(wholeForm.length), length: fc.nat(200) }),
  fc.record({
    kind: fc.constant('insert'),
    at: fc.nat(wholeForm.length),
    text: fc.constantFrom(
      '\r\n',
      '\r\n\r\n',
      '\r\n--X',
      '--',
      '"',
      ';',
      ':',
      '\0',
      '%',
      textPart('a', ''),
      fileHead('f'),
      fileHead('file', 'filename*=utf-8'),
      'A: b\r\n'.repeat(20),
    ),
  }),
);
type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never;

function mutated(bytes: Buffer, change: Mutation): Buffer {
  const before = bytes.subarray(0, change.at);
  const after = bytes.subarray(change.at);
  if ('byte' in change) return Buffer.concat([before, Buffer.of(change.byte), after.subarray(1)]);
  if ('length' in change) return Buffer.concat([before, after.subarray(change.length)]);
  if ('text' in change) return Buffer.concat([before, Buffer.from(change.text), after]);
  return before;
}

/** Gives bytes in chunks, so that they are sent without a Content-Length. */
async function* chunksOf(bytes: Uint8Array, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** What the processes of the app have logged. */
const lines: LogLine[] = [];
const app = useApp({ sampleData: false, log: (line) => addLogLine(lines, line) });

describe.each(['false', 'true'])('with HTTP_STREAMING %s', (streaming) => {
  let host: Awaited<ReturnType<typeof app.startAnother>>;
  beforeAll(async () => {
    host = await app.startAnother({ HTTP_STREAMING: streaming });
    await untilKeysAreLoaded(host.calendar, app.token('alice@example.org'));
  });
  afterAll(() => host[Symbol.asyncDispose]());

  type Target = 'media' | 'events' | 'tags';
  const urlOf = (to: Target) =>
    to === 'media' ? `${new URL(host.base).origin}/wp-json/wp/v2/media` : `${host.calendar}/${to}`;

  async function send(body: Body, to: Target = 'media', boundary = 'X') {
    const headers = {
      Authorization: `Bearer ${app.token('alice@example.org', ['Calendar.Editor'])}`,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
    };
    const reply = await fetch(urlOf(to), { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? {} : JSON.parse(text) };
  }

  const beside = (action: () => Promise<unknown>) =>
    followedDuring(
      { calendar: host.calendar, token: app.token('alice@example.org', ['Calendar.Editor']) },
      action,
    );

  test('a form that breaks off is refused, wherever that is', async () => {
    const bodies = [
      [fileHead('f'), 'x'],
      [fileHead('file'), 'x'],
      [fileHead('f'), 'x\r\n', fileHead('f'), 'x\r\n', fileHead('f'), 'x'],
      [textPart('title', 'A'), '--X\r\nContent-Disp'],
      [textPart('title', 'A').slice(0, -2)],
      [fileHead('file'), png(), '\r\n--X-'],
      ['--X'],
      ['nothing of that'],
    ];
    const statuses = await beside(async () => {
      for (const parts of bodies)
        for (const to of ['media', 'events'] as const) {
          const { status, body } = await send(bytesOf(...parts), to);
          expect([to, parts, status, body.code]).toEqual([to, parts, 400, 'invalid-form']);
        }
    });
    expect(statuses).toEqual([200]);
  });

  test('a form with too many texts or files, or a text too long, is refused, also while a file waits to be read', async () => {
    const waiting = [fileHead('f'), 'x\r\n'];
    const bodies = [
      [...waiting, textPart('a', 'b').repeat(51)],
      [fileHead('f'), 'x\r\n'.repeat(20_000), textPart('a', 'b').repeat(51)],
      [`${fileHead('f')}x\r\n`.repeat(21)],
      [...waiting, textPart('a', 'b'.repeat(70_000))],
    ];
    const statuses = await beside(async () => {
      for (const parts of bodies)
        for (const isWhole of [true, false]) {
          const { status, body } = await send(bytesOf(...parts, isWhole ? end : ''));
          expect([status, body.code]).toEqual([413, 'form-too-large']);
        }
    });
    expect(statuses).toEqual([200]);
  });

  test('a boundary has 70 characters at most, in quotes or not', async () => {
    const replyTo = async (name: string, boundary = name) => {
      const text = Buffer.from(wholeForm).toString('latin1').replaceAll('--X', `--${name}`);
      const { status, body } = await send(new Uint8Array(Buffer.from(text, 'latin1')), 'events', boundary);
      return [status, body.code];
    };
    expect(await replyTo('b'.repeat(70))).toEqual([201, undefined]);
    expect(await replyTo('a b: c', '"a b: c"')).toEqual([201, undefined]);
    for (const name of ['b'.repeat(71), 'b'.repeat(300)])
      expect(await replyTo(name)).toEqual([400, 'invalid-form']);
    expect(await replyTo('', '""')).toEqual([400, 'invalid-form']);
  });

  test.each([
    ['without a name', 'Content-Disposition: form-data'],
    ['of a file without a name of its field', 'Content-Disposition: form-data; filename="a.png"'],
    ['without Content-Disposition', 'Content-Type: text/plain'],
    ['of another kind', 'Content-Disposition: attachment; name="title"'],
    ['whose name has no end', 'Content-Disposition: form-data; name="title'],
    [
      'in an unknown charset',
      'Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=none',
    ],
    ['whose header is too long', `Content-Disposition: form-data; name="a"\r\nA: ${'x'.repeat(20_000)}`],
    ['whose header has no end', 'Content-Disposition: form-data; name="a"', '\r\n'],
  ])('a part %s is no part of a form', async (_title, header, between = '\r\n\r\n') => {
    const body = bytesOf(textPart('title', 'A'), `--X\r\n${header}${between}text\r\n`, end);
    for (const to of ['media', 'events'] as const) {
      const { status, body: refusal } = await send(body, to);
      expect([status, refusal.code]).toEqual([400, 'invalid-form']);
    }
  });

  test.each([
    ['filename="=?utf-8?B?w4ZyLnBuZw==?="', 'AEr.png'],
    ["filename=x.png; filename*=utf-8''%C3%86r%20b.png", 'AEr-b.png'],
    ['filename="\u00c6r.png"', 'AEr.png'],
    ['filename="C:\\pictures\\b c.png"', 'b-c.png'],
  ])('a file with %s has the name %s', async (name, file) => {
    const { status, body } = await send(bytesOf(fileHead('file', name), png(), '\r\n', end));
    expect([status, body.media_details?.file]).toEqual([201, file]);
  });

  test('a text is read in its charset, and the name of a field as an encoded word', async () => {
    const latin1 = Buffer.from(`AEr\u00f8 ${crypto.randomUUID()}`, 'latin1');
    const head =
      '--X\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Disposition: form-data; name="=?utf-8?B?bmFtZQ==?="\r\n\r\n';
    const { status, body } = await send(bytesOf(head, latin1, '\r\n', end), 'tags');
    expect([status, body.name]).toEqual([201, latin1.toString('latin1')]);
  });

  test('two thousand forms of any kind are answered, and nobody beside them notices', async () => {
    const form = fc.record({
      mutations: fc.array(mutation, { maxLength: 4 }),
      to: fc.constantFrom<Target[]>('media', 'events'),
      chunk: fc.integer({ min: 1, max: 300 }),
    });
    const statuses = await beside(() =>
      fc.assert(
        fc.asyncProperty(fc.array(form, { minLength: 8, maxLength: 8 }), async (forms) => {
          await Promise.all(
            forms.map(async ({ mutations, to, chunk }) => {
              const bytes = new Uint8Array(mutations.reduce(mutated, Buffer.from(wholeForm)));
              const isChunked = streaming === 'true' && chunk < 200;
              const { status, body } = await send(isChunked ? chunksOf(bytes, chunk) : bytes, to);
              // On a busy machine a body comes at less than 240 bytes a second, or a form waits for its turn too long.
              if ((isChunked && status === 408) || body.code === 'overloaded') return;
              if (status !== 201) expect([400, 412, 413, 415, 422]).toContain(status);
              if (status !== 201) expect(body.code).toEqual(expect.any(String));
              if (mutations.length === 0) expect(status).toBe(201);
            }),
          );
        }),
        numRuns(250),
      ),
    );
    expect(statuses).toEqual([200]);
  });

  test('callers who hang up at a hundred places of a form leave nothing, and nobody beside them notices', async () => {
    const authorization = { Authorization: `Bearer ${app.token('alice@example.org', ['Calendar.Editor'])}` };
    const totals = async () => {
      const pictures = await fetch(urlOf('media'), { headers: authorization });
      const events = await fetch(`${urlOf('events')}?start_date=2031-01-01`);
      return [pictures.headers.get('x-wp-total'), events.headers.get('x-tec-total')];
    };
    const before = await totals();
    const requestIds = new Set<string>();
    const places = Array.from({ length: 100 }, (_, index) => Math.floor((index * wholeForm.length) / 100));
    const statuses = await beside(async () => {
      for (const to of ['media', 'events'] as const)
        await Promise.all(
          places.map((place, index) => {
            const requestId = crypto.randomUUID();
            requestIds.add(requestId);
            const isChunked = streaming === 'true' && index % 2 === 1;
            const length = isChunked
              ? { 'Transfer-Encoding': 'chunked' }
              : { 'Content-Length': String(wholeForm.length) };
            const head = headOf('POST', urlOf(to), {
              ...authorization,
              ...length,
              'Content-Type': 'multipart/form-data; boundary=X',
              'X-Request-Id': requestId,
            });
            const start = isChunked ? Buffer.from(`${wholeForm.length.toString(16)}\r\n`) : Buffer.of();
            return hangUp(host.base, Buffer.concat([head, start, wholeForm.subarray(0, place)]));
          }),
        );
    });
    expect([statuses, await totals()]).toEqual([[200], before]);
    const logged = lines.filter(({ requestId = '' }) => requestIds.has(requestId));
    expect(logged.filter(({ event, status = 0 }) => event === 'failure' || status >= 500)).toEqual([]);
  });
});
