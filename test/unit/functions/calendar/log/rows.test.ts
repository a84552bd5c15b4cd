import { describe, expect, test } from 'vitest';
import {
  changeToEntity,
  entityToChange,
  entityToHead,
  headToEntity,
  spellJson,
  splitText,
} from '../../../../../functions/calendar/log/rows.ts';
import { anyText, fc } from '../../../../support/properties.ts';

const head = {
  log: 'b1',
  version: 42,
  nextIds: { post: 7, term: 3, user: 2 },
  recentWriteIds: ['w1:5', 'w2:1'],
  snapshot: undefined,
};

describe('rows', () => {
  test('write the head with 64-bit numbers', () => {
    const entity = headToEntity('default', head);
    expect(entity).toEqual({
      partitionKey: 'default',
      rowKey: 'head',
      log: 'b1',
      version: 42n,
      post: 7n,
      term: 3n,
      user: 2n,
      marks: 'w1:5 w2:1',
    });
    expect(entityToHead({ ...entity, etag: 'W/"1"' })).toEqual({ ...head, etag: 'W/"1"' });
  });

  test('name a snapshot in the head; what is no name counts as none', () => {
    const snapshot = {
      version: 40,
      blob: 'b1/40-0a1b',
      sha256: '0f'.repeat(32),
      bytes: 120,
      unpackedBytes: 4_000,
    };
    const entity = headToEntity('default', { ...head, snapshot });
    expect(entity['snapshot']).toBe(`40 ${'0f'.repeat(32)} b1/40-0a1b 120 4000`);
    expect(entityToHead({ ...entity, etag: 'e' })).toEqual({ ...head, snapshot, etag: 'e' });
    const asBefore = `40 ${'0f'.repeat(32)} b1/40-0a1b`;
    for (const text of ['', '40', '40 0f b1/40 1 2', `x ${asBefore} 1 2`, asBefore, `${asBefore} 1 `])
      expect(entityToHead({ ...entity, snapshot: text }).snapshot, text).toBeUndefined();
  });

  test('write a live record under its version, and a tombstone without text', () => {
    expect([
      changeToEntity('default', { key: 'event/1', json: '{}', version: 42 }),
      changeToEntity('default', { key: 'event/1', json: null, version: 43 }),
    ]).toEqual([
      { partitionKey: 'default', rowKey: 'v|0000000000000042', key: 'event/1', json0: '{}' },
      { partitionKey: 'default', rowKey: 'v|0000000000000043', key: 'event/1' },
    ]);
  });

  test('keep the value of any JSON, whatever its length and characters', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      anyText({ maxLength: 50 }).map((text) => text.repeat(2_000)),
    );
    fc.assert(
      fc.property(value, fc.nat(), (content, version) => {
        const sent = changeToEntity('p', { key: 'k', json: JSON.stringify(content), version });
        const { json, ...change } = entityToChange(sent);
        expect(change).toEqual({ key: 'k', version });
        expect(JSON.parse(json ?? '')).toEqual(JSON.parse(JSON.stringify(content)));
      }),
    );
  });
});

describe('splitText()', () => {
  test('cuts into parts of the length, and never through a character', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 5 }), (whole, length) => {
        const parts = splitText(whole, length);
        expect(parts.join('')).toBe(whole);
        expect(parts.every((part) => part.length <= length && part.length >= 1 && part.isWellFormed())).toBe(
          true,
        );
      }),
    );
  });
});

describe('the spelling of JSON', () => {
  const spellings: [name: string, text: string, spelt: string][] = [
    ['one-byte text stays', '"Smørrebrød på ön"', '"Smørrebrød på ön"'],
    ['a few wide characters are escaped', '"10 – 12 and more text"', '"10 \\u2013 12 and more text"'],
    ['mostly wide characters stay', '"日本語"', '"日本語"'],
    ['line separators are escaped in any text', '"日\u2028本\u2029語"', '"日\\u2028本\\u2029語"'],
    ['a pair is two escapes', '"a good evening 😀"', '"a good evening \\ud83d\\ude00"'],
  ];
  test.each(spellings)('%s', (_name, text, spelt) => {
    expect(spellJson(text)).toBe(spelt);
    expect(JSON.parse(spelt)).toBe(JSON.parse(text));
  });
});
