/** How many bytes of bodies are held at once, whose they are, and what is remembered of replies. */

import { getHeapStatistics } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../../shared/config.ts';
import { type BytesHeld, createBytesInFlight } from '../../../../shared/http/bytes-in-flight.ts';
import type { IncomingRequest } from '../../../../shared/http/request.ts';
import { readGauge } from '../../../../shared/telemetry/gauges.ts';
import { useFakeClock } from '../../../support/timers.ts';

const kibibyte = 1_024;
const mebibyte = 1_024 * kibibyte;

/** The bytes in flight of an app that may hold so many, and what is taken of them. */
function bytesInFlight(max: number) {
  const hold = createBytesInFlight(readConfig({ BODY_BYTES_IN_FLIGHT: String(max) }));
  const request = (path: string, headers: Record<string, string> = {}, body = false): IncomingRequest => ({
    ...{ method: 'GET', url: new URL(path, 'http://localhost'), parameters: {} },
    headers: new Headers(headers),
    body: body ? (async function* () {})() : null,
  });
  return {
    read: (path: string, caller = 'a') => hold(caller, { method: 'GET' }, request(path)),
    write: (length: number | undefined, caller = 'a', endpoint: object = { method: 'PUT', body: {} }) =>
      hold(
        caller,
        endpoint as { method: string; body?: unknown },
        request('/w', length === undefined ? {} : { 'content-length': String(length) }, true),
      ),
  };
}

const gauge = (name: 'budgetUsed' | 'budgetLimit') =>
  readGauge(name).find(([, labels]) => labels?.['app.budget'] === 'bytes of bodies')?.[0];
const taken = () => gauge('budgetUsed');

/** Returns what a request takes, and gives it back. */
function takenBy(held: BytesHeld): number | undefined {
  const bytes = taken();
  held.release();
  return bytes;
}

const codeOf = (work: () => unknown) => {
  try {
    work();
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('the budget', () => {
  test.each([
    [20 * mebibyte, 20 * mebibyte],
    [1, 8 * mebibyte],
    [0, getHeapStatistics().heap_size_limit / 24],
  ])('that is set to %i has %d bytes', (set, bytes) => {
    bytesInFlight(set);
    expect(gauge('budgetLimit')).toBe(Math.max(bytes, 8 * mebibyte));
  });

  test('gives one caller half of it', () => {
    const { write } = bytesInFlight(16 * mebibyte);
    write(4 * mebibyte);
    write(4 * mebibyte);
    expect([codeOf(() => write(17 * kibibyte)), codeOf(() => write(4 * mebibyte, 'b'))]).toEqual([
      'overloaded',
      'taken',
    ]);
  });
});

test.each<[length: number | undefined, bytes: number]>([
  [16 * kibibyte, 0],
  [16 * kibibyte + 1, 16 * kibibyte + 1],
  [4 * mebibyte, 4 * mebibyte],
  [4 * mebibyte + 1, 0],
  [undefined, 4 * mebibyte],
])('a body of %s bytes takes %i', (length, bytes) => {
  const { write } = bytesInFlight(16 * mebibyte);
  expect(takenBy(write(length))).toBe(bytes);
  expect(takenBy(write(length, 'a', { method: 'PUT' }))).toBe(0);
  expect(takenBy(write(length, 'a', { method: 'GET', body: {} }))).toBe(0);
});

describe('a reply', () => {
  test('takes what is above 64 KiB, as it comes, and is refused where it is too much', () => {
    const { read } = bytesInFlight(16 * mebibyte);
    const reply = read('/r');
    const seen = [64 * kibibyte, 1, 99].map((bytes) => {
      reply.add(bytes);
      return taken();
    });
    expect(seen).toEqual([0, 1, 100]);
    expect(codeOf(() => reply.add(16 * mebibyte - 64 * kibibyte - 100))).toBe('taken');
    expect(codeOf(() => reply.add(1))).toBe('reply-too-large');
    expect(takenBy(read('/other'))).toBeGreaterThan(15 * mebibyte);
    reply.release();
    expect(taken()).toBe(0);
  });

  test('of a change is never refused', () => {
    const { write } = bytesInFlight(8 * mebibyte);
    const change = write(1);
    expect(codeOf(() => change.add(9 * mebibyte))).toBe('taken');
    change.release();
  });

  test('is expected to be what it was the last time, for a minute', () => {
    const pass = useFakeClock();
    const { read } = bytesInFlight(16 * mebibyte);
    const first = read('/r');
    first.addReply(65 * kibibyte);
    first.release();
    pass(59_999);
    const expected = takenBy(read('/r?page=2'));
    pass(1);
    expect([expected, takenBy(read('/r')), takenBy(read('/other'))]).toEqual([65 * kibibyte, 0, 0]);
  });

  test('that was small the last time is expected to be small', () => {
    const { read } = bytesInFlight(16 * mebibyte);
    for (const [size, expected] of [
      [65 * kibibyte, 65 * kibibyte],
      [64 * kibibyte, 0],
      [64 * kibibyte + 1, 64 * kibibyte + 1],
    ] as const) {
      const reply = read('/r');
      reply.addReply(size);
      reply.release();
      expect(takenBy(read('/r'))).toBe(expected);
      const again = read('/r');
      again.addReply(size);
      again.release();
    }
  });

  test('that never came, since its request was refused, says nothing of the path', () => {
    const { read } = bytesInFlight(16 * mebibyte);
    const waiting = read('/r');
    const first = read('/r');
    first.addReply(65 * kibibyte);
    first.release();
    waiting.release();
    expect(takenBy(read('/r'))).toBe(65 * kibibyte);
  });

  test('is remembered for the 10,000 paths that were read last', () => {
    const { read } = bytesInFlight(16 * mebibyte);
    const readLarge = (path: string) => {
      const reply = read(path);
      reply.addReply(65 * kibibyte);
      reply.release();
    };
    readLarge('/first');
    for (let other = 1; other < 10_000; other += 1) readLarge(`/other/${other}`);
    expect(codeOf(() => expect(takenBy(read('/first'))).toBe(65 * kibibyte))).toBe('taken');
    readLarge('/first');
    for (let other = 10_000; other < 20_000; other += 1) readLarge(`/other/${other}`);
    expect(takenBy(read('/first'))).toBe(0);
  });
});
