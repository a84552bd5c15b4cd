import type { TSchema } from 'typebox';
import * as Type from 'typebox';
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
      [{ pointer: '/nane', detail: 'is unknown; known are name, count, kind, inner' }],
    ],
    [
      'text where a number belongs',
      { name: 'x', count: '3' },
      [{ pointer: '/count', detail: 'must be a whole number' }],
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
        { pointer: '/name', detail: 'must not be empty' },
        { pointer: '/count', detail: 'must be at most 10' },
      ],
    ],
    ['no object at all', [], [{ pointer: '', detail: 'must be an object' }]],
  ])('%s', async (_, value, errors) => {
    expect(await validate(thing, value, 'exact')).toEqual(errors);
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
      { pointer: '/page', detail: 'must be a whole number' },
    ]);
  });

  test('refuses a number that is none, by the bound that every number has', async () => {
    expect(await validate(query, { page: '1e400' }, 'converting')).toEqual([
      { pointer: '/page', detail: 'must be at most 1000' },
    ]);
  });
});

test('validate() lists 20 errors at most', async () => {
  const schema = Type.Object({}, { additionalProperties: false });
  const faulty = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, index]));
  const errors = await validate(schema, faulty(20), 'exact');
  expect(errors).toHaveLength(20);
  expect(errors[0]).toEqual({ pointer: '/p0', detail: 'is unknown' });
  expect(await validate(schema, faulty(90_000), 'exact')).toEqual(errors);
  expect(await validate(Type.Array(Type.Integer()), Array(21).fill('x'), 'exact')).toHaveLength(20);
});

test('validate() looks through a schema once for each way in which it is strict', async () => {
  let looks = 0;
  const schema = {
    type: 'string',
    get title() {
      looks += 1;
      return 'Counted';
    },
  } as TSchema;
  const seen: number[] = [];
  for (const strictness of ['exact', 'exact', 'converting', 'converting'] as const) {
    await validate(schema, 'x', strictness);
    seen.push(looks);
  }
  expect([seen[0] === seen[1], seen[1] === seen[2], seen[2] === seen[3]]).toEqual([true, false, true]);
});

test('validate() takes two schemas of one $id, which names them in the document only', async () => {
  const text = Type.String({ $id: 'One' });
  const number = Type.Integer({ $id: 'One' });
  expect([await validate(text, 'x', 'exact'), await validate(number, 5, 'exact')]).toEqual([[], []]);
  expect(await validate(number, 'x', 'exact')).toEqual([{ pointer: '', detail: 'must be a whole number' }]);
});

test('names the rule that a value breaks', async () => {
  const rows: readonly [TSchema, unknown, string][] = [
    [Type.String(), 1, 'must be a string'],
    [Type.Integer(), 1.5, 'must be a whole number'],
    [Type.Number(), 'x', 'must be a number'],
    [Type.Boolean(), 1, 'must be true or false'],
    [Type.Object({}), [], 'must be an object'],
    [Type.Array(Type.String()), {}, 'must be an array'],
    [Type.Null(), 1, 'must be null'],
    [Type.Unsafe({ type: ['string', 'null'] }), 1, 'must be a string or null'],
    [Type.Unsafe({ type: ['string', 'null'], format: 'date' }), 1, 'must be a date, YYYY-MM-DD or null'],
    [Type.String({ format: 'date' }), '31.12.2026', 'must be a date, YYYY-MM-DD'],
    [Type.String({ format: 'date', pattern: '^(?!0000)' }), '0000-01-01', 'must be a date, YYYY-MM-DD'],
    [Type.String({ format: 'date-time' }), 'now', 'must be a moment, such as 2026-11-21T10:00:00Z'],
    [Type.String({ format: 'uri' }), 'x', 'must be a URL'],
    [Type.String({ pattern: '^a+$' }), 'b', 'must be of the form ^a+$'],
    [Type.String({ minLength: 1 }), '', 'must not be empty'],
    [Type.String({ minLength: 2 }), 'a', 'must have at least 2 characters'],
    [Type.String({ maxLength: 2 }), 'abc', 'must have at most 2 characters'],
    [Type.Integer({ minimum: 1 }), 0, 'must be at least 1'],
    [Type.Integer({ maximum: 1 }), 2, 'must be at most 1'],
    [Type.Literal('GET'), 'PUT', 'must be "GET"'],
  ];
  for (const [schema, value, detail] of rows) {
    expect(await validate(schema, value, 'exact'), JSON.stringify(value)).toEqual([{ pointer: '', detail }]);
  }
});
