/** Bodies as they arrive: how large they may be, in which media types and encodings. */

import { describe, expect, test } from 'vitest';
import {
  bodyLimit,
  budgetedBytes,
  checkMediaType,
  hasBody,
  mediaType,
  parseJson,
  readBytes,
  readText,
  smallBody,
} from '../../../../shared/http/body.ts';
import type { IncomingRequest } from '../../../../shared/http/request.ts';

/** A request with a body in these pieces; none for undefined. */
function requestWith(
  pieces: readonly (string | Uint8Array)[] | undefined,
  headers: Record<string, string> = {},
): IncomingRequest {
  return {
    method: 'PUT',
    url: new URL('http://localhost/x'),
    parameters: {},
    headers: new Headers(headers),
    body:
      pieces === undefined
        ? null
        : (async function* () {
            for (const piece of pieces) yield Buffer.from(piece);
          })(),
  };
}

const outcomeOf = (work: () => unknown) =>
  Promise.resolve()
    .then(work)
    .then(
      () => 'taken',
      ({ code }: { code: string }) => code,
    );

describe('budgetedBytes()', () => {
  const some = ['x'];
  test.each<[what: string, pieces: string[] | undefined, length: number | undefined, bytes: number]>([
    ['none', undefined, undefined, 0],
    ['a small one', some, smallBody, 0],
    ['one that is not small', some, smallBody + 1, smallBody + 1],
    ['the largest one', some, bodyLimit, bodyLimit],
    ['one that is rejected for its length', some, bodyLimit + 1, 0],
    ['one of an unknown length', some, undefined, bodyLimit],
  ])('counts for %s', (_what, pieces, length, bytes) => {
    const headers = length === undefined ? {} : { 'content-length': String(length) };
    expect(budgetedBytes({ method: 'PUT', body: {} }, requestWith(pieces, headers))).toBe(bytes);
  });

  test('counts none for an endpoint that reads none, and up to its own limit for one that streams', () => {
    const request = requestWith(some, { 'content-length': '100000' });
    expect(budgetedBytes({ method: 'DELETE' }, request)).toBe(0);
    expect(budgetedBytes({ method: 'POST', streamedBytes: 100_000 }, request)).toBe(100_000);
    expect(budgetedBytes({ method: 'POST', streamedBytes: 99_999 }, request)).toBe(0);
  });
});

describe('readBytes()', () => {
  test.each<[pieces: number[], length: number | undefined, outcome: string]>([
    [[10], undefined, 'taken'],
    [[5, 5], undefined, 'taken'],
    [[5, 6], undefined, 'body-too-large'],
    [[11], undefined, 'body-too-large'],
    [[10], 10, 'taken'],
    [[1], 11, 'body-too-large'],
    [[], undefined, 'taken'],
  ])('of pieces of %j bytes, with the length %s, within 10: %s', async (pieces, length, outcome) => {
    const texts = pieces.map((count) => 'x'.repeat(count));
    const headers = length === undefined ? {} : { 'content-length': String(length) };
    expect(await outcomeOf(() => readBytes(requestWith(texts, headers), 10))).toBe(outcome);
  });

  test('takes 4 MiB, and no more', async () => {
    expect(bodyLimit).toBe(4_194_304);
    for (const [length, outcome] of [
      [bodyLimit, 'taken'],
      [bodyLimit + 1, 'body-too-large'],
    ] as const)
      expect(await outcomeOf(() => readBytes(requestWith([Buffer.alloc(length)])))).toBe(outcome);
  });
});

test('readText() joins characters that are cut, drops a byte order mark, and refuses what is not UTF-8', async () => {
  const bytes = Buffer.from('\ufeffså 😀');
  const pieces = [...bytes].map((byte) => Buffer.from([byte]));
  expect(await readText(requestWith(pieces))).toBe('så 😀');
  expect(await outcomeOf(() => readText(requestWith([Buffer.from([0x22, 0xe5, 0x22])])))).toBe(
    'invalid-encoding',
  );
});

test('a body in chunks is refused for its length', async () => {
  expect([hasBody(requestWith(undefined)), hasBody(requestWith(['x']))]).toEqual([false, true]);
  expect(hasBody(requestWith(['x'], { 'transfer-encoding': 'chunked' }))).toBe(true);
  expect(await outcomeOf(() => hasBody(requestWith(undefined, { 'transfer-encoding': 'chunked' })))).toBe(
    'length-required',
  );
});

describe('checkMediaType()', () => {
  const json = 'application/json';
  test.each<[headers: Record<string, string>, outcome: string]>([
    [{ 'content-type': json }, 'taken'],
    [{ 'content-type': ' Application/JSON ; charset=utf-8' }, 'taken'],
    [{ 'content-type': `${json}; charset="UTF8"` }, 'taken'],
    [{ 'content-type': `${json}; a=b; charset = utf-8` }, 'taken'],
    [{ 'content-type': `${json}; charset=latin1` }, 'unsupported-media-type'],
    [{ 'content-type': `${json} ;CHARSET = "Latin1"` }, 'unsupported-media-type'],
    [{ 'content-type': `${json}; charset=utf-16` }, 'unsupported-media-type'],
    [{ 'content-type': 'text/json' }, 'unsupported-media-type'],
    [{}, 'unsupported-media-type'],
    [{ 'content-type': json, 'content-encoding': ' Identity' }, 'taken'],
    [{ 'content-type': json, 'content-encoding': 'gzip' }, 'unsupported-media-type'],
  ])('of %j: %s', async (headers, outcome) => {
    expect(await outcomeOf(() => checkMediaType(requestWith([], headers), [json]))).toBe(outcome);
  });

  test('reads the type without its parameters', () => {
    const typeOf = (value: string | undefined) =>
      mediaType(new Headers(value === undefined ? {} : { 'content-type': value }));
    expect([typeOf(undefined), typeOf('Text/CSV; header=present')]).toEqual([undefined, 'text/csv']);
  });
});

test('parseJson() takes JSON within the limits alone', async () => {
  expect(parseJson('{"a":[1,null]}')).toEqual({ a: [1, null] });
  for (const [text, code] of [
    ['{a:1}', 'invalid-json'],
    ['', 'invalid-json'],
    ['['.repeat(101) + ']'.repeat(101), 'json-too-deep'],
  ] as const)
    expect(await outcomeOf(() => parseJson(text))).toBe(code);
});
