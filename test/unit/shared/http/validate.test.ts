import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { validate } from '../../../../shared/http/validate.ts';

const thing = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    count: Type.Optional(Type.Integer({ maximum: 10 })),
    kind: Type.Optional(Type.Union([Type.Literal('JSON'), Type.Literal('REF')])),
    inner: Type.Optional(Type.Object({ 'a/b': Type.Boolean() }, { additionalProperties: false })),
  },
  { additionalProperties: false, $id: 'Thing' },
);

describe('validate() exactly', () => {
  test.each([
    ['what the schema asks for', { name: 'x', count: 3 }, []],
    ['a missing property, by its own pointer', {}, [{ pointer: '/name', detail: 'is missing' }]],
    [
      'an unknown property, by its own pointer',
      { name: 'x', nane: 1 },
      [{ pointer: '/nane', detail: 'is not known here' }],
    ],
    [
      'text where a number belongs',
      { name: 'x', count: '3' },
      [{ pointer: '/count', detail: 'must be integer' }],
    ],
    [
      'a name with a slash, escaped (RFC 6901)',
      { name: 'x', inner: {} },
      [{ pointer: '/inner/a~1b', detail: 'is missing' }],
    ],
    [
      'every fault at once',
      { name: '', count: 11 },
      [
        { pointer: '/name', detail: 'must NOT have fewer than 1 characters' },
        { pointer: '/count', detail: 'must be <= 10' },
      ],
    ],
    ['no object at all', [], [{ pointer: '', detail: 'must be object' }]],
  ])('%s', async (_, value, errors) => {
    expect(await validate(thing, value, 'exact')).toEqual(errors);
  });

  test('lists twenty errors at the most', async () => {
    const value = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`x${n}`, n]));
    expect(await validate(thing, value, 'exact')).toHaveLength(20);
  });
});

describe('validate() with conversion', () => {
  const query = Type.Object({
    page: Type.Integer({ default: 1, maximum: 1000 }),
    all: Type.Optional(Type.Boolean()),
  });

  test.each([
    [
      { page: '7', all: 'true' },
      { page: 7, all: true },
    ],
    [{}, { page: 1 }],
  ])('turns %j into %j', async (value, converted) => {
    expect(await validate(query, value, 'converting')).toEqual([]);
    expect(value).toEqual(converted);
  });

  test.each(['seven', '1.5', ''])('refuses %j as a whole number', async (page) => {
    expect(await validate(query, { page }, 'converting')).toEqual([
      { pointer: '/page', detail: 'must be integer' },
    ]);
  });

  test('refuses a number that is none, by the bound that every number has', async () => {
    expect(await validate(query, { page: '1e400' }, 'converting')).toEqual([
      { pointer: '/page', detail: 'must be <= 1000' },
    ]);
  });
});

test('validate() lists 20 errors at most', async () => {
  const schema = Type.Object({}, { additionalProperties: false });
  const faulty = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, index]));
  expect([
    (await validate(schema, faulty(20), 'exact')).length,
    (await validate(schema, faulty(21), 'exact')).length,
  ]).toEqual([20, 20]);
});

test('validate() takes two schemas of one $id, which names them in the document only', async () => {
  const [text, number] = [Type.String({ $id: 'One' }), Type.Integer({ $id: 'One' })];
  expect([await validate(text, 'x', 'exact'), await validate(number, 5, 'exact')]).toEqual([[], []]);
  expect(await validate(number, 'x', 'exact')).toEqual([{ pointer: '', detail: 'must be integer' }]);
});
