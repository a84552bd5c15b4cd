import { expect, test } from 'vitest';
import { entityTag, joinTagged } from '../../../../shared/http/entity-tag.ts';

const textOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? content : new TextDecoder('utf-8', { fatal: true }).decode(content);

test.each([0, 1])(
  'the entity tag of a long text is that of all its characters, whose pairs begin at %i',
  async (start) => {
    const parts = [
      'a'.repeat(start),
      '😀å'.repeat(700_000),
      ...Array<string>(5_000).fill('and så on '.repeat(30)),
    ];
    const { content, etag } = await joinTagged(parts);
    expect([textOf(content) === parts.join(''), etag]).toEqual([true, entityTag(parts.join(''))]);
    expect((content as Uint8Array).length).toBe((content as Uint8Array).buffer.byteLength);
  },
);

test('a text goes out as bytes from 512 Ki characters on', async () => {
  const short = await joinTagged(['a', 'x'.repeat(524_287)]);
  const long = await joinTagged(['aa', 'x'.repeat(524_287)]);
  expect([typeof short.content, typeof long.content]).toEqual(['string', 'object']);
  expect(short.etag).toBe(entityTag(`a${'x'.repeat(524_287)}`));
  expect(long.etag).toBe(entityTag(`aa${'x'.repeat(524_287)}`));
});
