/** The limits of Azure Tables, at what just fits and what just does not. */

import { describe, expect, test } from 'vitest';
import { LocalLog } from '../../../../../functions/calendar/log/local-log.ts';
import {
  checkEntity,
  checkRecords,
  checkTransaction,
  drawIds,
  planCommit,
} from '../../../../../functions/calendar/log/plan.ts';
import { type Entity, noHead } from '../../../../../functions/calendar/log/rows.ts';

const keys = { partitionKey: 'p', rowKey: 'v|1' };

/** Returns the code of what is thrown, and what it says; undefined for nothing. */
function refusal(check: () => void): unknown {
  try {
    check();
    return undefined;
  } catch (error) {
    const { code, message, facts } = error as { code: string; message: string; facts: object };
    return code === 'record-too-large' ? [code, facts] : [code, message];
  }
}

describe('checkEntity()', () => {
  const withProperties = (count: number): Entity => ({
    ...keys,
    ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 1n])),
  });
  /** 4 bytes, 8 of the keys, and 8 + 2 + 4 of the property beside its text. */
  const withText = (length: number): Entity => ({ ...keys, t: 'x'.repeat(length) });

  test('takes 252 properties, and no more', () => {
    expect(refusal(() => checkEntity('event/1', withProperties(252)))).toBeUndefined();
    expect(refusal(() => checkEntity('event/1', withProperties(253)))).toMatchObject([
      'record-too-large',
      {},
    ]);
  });

  test('takes 1 MiB, two bytes per character, and no more', () => {
    expect(refusal(() => checkEntity('event/1', withText(524_275)))).toBeUndefined();
    expect(refusal(() => checkEntity('event/1', withText(524_276)))).toEqual([
      'record-too-large',
      { record: 'event/1', bytes: 1_048_578, maximum: 1_048_576 },
    ]);
  });

  test('counts 8 bytes for a number, beside its name', () => {
    expect(refusal(() => checkEntity('event/1', { ...withText(524_275 - 10), no: 1n }))).toBeUndefined();
    expect(refusal(() => checkEntity('event/1', { ...withText(524_275 - 9), no: 1n }))).toMatchObject([
      'record-too-large',
      { bytes: 1_048_578 },
    ]);
  });
});

test('checkRecords() leaves room for the head among 100 rows', () => {
  expect(refusal(() => checkRecords(99))).toBeUndefined();
  expect(refusal(() => checkRecords(100))).toEqual([
    'change-too-large',
    'Cannot save the change: it has more than 99 records, and one change may touch 100 rows.',
  ]);
});

describe('checkTransaction()', () => {
  const rows = (count: number, length: number) =>
    Array.from({ length: count }, () => ({ ...keys, t: 'x'.repeat(length) }));

  test('takes 100 rows, and no more', () => {
    expect(refusal(() => checkTransaction(rows(100, 1)))).toBeUndefined();
    expect(refusal(() => checkTransaction(rows(101, 1)))).toEqual([
      'change-too-large',
      'Cannot save the change: it touches 101 rows, and one change may touch 100.',
    ]);
  });

  test('takes 4 MiB, with 2 KiB of envelope for each row, and no more', () => {
    // {"partitionKey":"p","rowKey":"v|1","t":""} has 42 bytes.
    const fits = 4 * 1_048_576 - 2_048 - 42;
    expect(refusal(() => checkTransaction(rows(1, fits)))).toBeUndefined();
    expect(refusal(() => checkTransaction(rows(1, fits + 1)))).toEqual([
      'change-too-large',
      'Cannot save the change: it sends 4194305 bytes, and one change may send 4194304.',
    ]);
    const half = 2 * 1_048_576 - 2_048 - 42;
    expect(refusal(() => checkTransaction(rows(2, half)))).toBeUndefined();
    expect(refusal(() => checkTransaction(rows(2, half + 1)))).toEqual([
      'change-too-large',
      'Cannot save the change: it sends 4194306 bytes, and one change may send 4194304.',
    ]);
  });
});

test('planCommit() remembers the latest write of each of 64 writers, the newest first', () => {
  const otherWriters = Array.from({ length: 64 }, (_, index) => `w${index}:${index}`);
  const writesAfter = (recentWriteIds: readonly string[]) => {
    const local = new LocalLog({ apply() {}, clear() {} });
    local.setHead({ ...noHead, log: 'history', etag: '"1"', recentWriteIds });
    const decision = { puts: [{ key: 'event/1', json: '{}' }], deletes: [], result: undefined };
    const writer = { calendar: 'c', writer: 'w', sequence: 9, nextIds: noHead.nextIds };
    return planCommit({ local, decision, ...writer }).head.recentWriteIds;
  };
  expect(writesAfter(['w1:1', 'w:8', 'w2:2'])).toEqual(['w:9', 'w1:1', 'w2:2']);
  expect(writesAfter(otherWriters)).toEqual(['w:9', ...otherWriters.slice(0, 63)]);
});

test('drawIds() counts on from the head, and leaves the head as it is', () => {
  const head = { ...noHead, nextIds: { post: 7, term: 3, user: 2 } };
  const { takeId, nextIds } = drawIds(head);
  expect([takeId('post'), takeId('post'), takeId('term'), nextIds, head.nextIds]).toEqual([
    7,
    8,
    3,
    { post: 9, term: 4, user: 2 },
    { post: 7, term: 3, user: 2 },
  ]);
});

test('drawIds() draws no number that is not exact', () => {
  const head = { ...noHead, nextIds: { post: Number.MAX_SAFE_INTEGER - 1, term: 2 ** 53, user: 1 } };
  const { takeId } = drawIds(head);
  expect(takeId('post')).toBe(Number.MAX_SAFE_INTEGER - 1);
  for (const space of ['post', 'term'] as const)
    expect(refusal(() => takeId(space))).toEqual([
      'ids-exhausted',
      `Cannot create the record: the ids of "${space}" are exhausted.`,
    ]);
  expect(takeId('user')).toBe(1);
});
