import { describe, expect, test } from 'vitest';
import type { FieldError } from '../../../../../shared/errors.ts';
import { callStatements, toSetCalls } from '../../../../../shared/records/custom-data/set-calls.ts';

const parameter = (name: string, type: string) => ({ name, type, maxLength: 80, precision: 18, scale: 2 });
const parameters = [
  parameter('@propID', 'int'),
  parameter('@usrPropID', 'int'),
  parameter('@pnumber', 'nvarchar'),
  parameter('@pAmount', 'decimal'),
];

function callsOf(text: string) {
  const errors: FieldError[] = [];
  return { calls: toSetCalls({ name: 'invoice', text }, parameters, errors), errors };
}

describe('toSetCalls()', () => {
  test('makes one call of an object, by parameter name without regard to case', () => {
    expect(callsOf('{"number":"1","amount":2.50}')).toEqual({
      calls: [
        {
          identifier: 'invoice',
          arguments: [
            { name: '@pnumber', parameter: { type: 'nvarchar', length: 40, value: '1' } },
            { name: '@pAmount', parameter: { type: 'nvarchar', length: 48, value: '2.5' } },
          ],
        },
      ],
      errors: [],
    });
  });

  test('makes one call per element of an array, in order', () => {
    const { calls } = callsOf('[{"number":"1","amount":1},{"number":"2","amount":2}]');
    expect(calls.map((call) => call.arguments[0]?.parameter.value)).toEqual(['1', '2']);
  });

  test.each([
    [
      'a property without a parameter',
      '{"number":"1","amount":1,"colour":"red"}',
      '/invoice/colour',
      'is not known here, or is given twice',
    ],
    ['a parameter without a property', '{"number":"1"}', '/invoice/Amount', 'is missing'],
    [
      'a property that is given twice',
      '{"number":"1","amount":1,"Amount":1}',
      '/invoice/Amount',
      'is not known here, or is given twice',
    ],
    ['a value that does not fit', '{"number":"1","amount":"1"}', '/invoice/amount', 'must be a number'],
    [
      'a value that does not fit in an element',
      '[{"number":"1","amount":1},{"number":"1","amount":true}]',
      '/invoice/1/amount',
      'must be a number',
    ],
    ['a scalar', '5', '/invoice', 'must be an object or an array of objects'],
    ['an array of scalars', '[1]', '/invoice', 'must be an object or an array of objects'],
    [
      'a parameter that the service fills in',
      '{"number":"1","amount":1,"ropID":7}',
      '/invoice/ropID',
      'is not known here, or is given twice',
    ],
  ])('names %s', (_, text, pointer, detail) => {
    expect(callsOf(text).errors).toEqual([{ pointer, detail }]);
  });
});

test.each(['@propID', '@usrPropID', '@langID'])(
  'toSetCalls() leaves %s to the service, in any case of its letters',
  (name) => {
    for (const written of [name, name.toLowerCase(), name.toUpperCase()]) {
      const errors: FieldError[] = [];
      const calls = toSetCalls(
        { name: 'invoice', text: '{"number":"1"}' },
        [parameter(written, 'int'), parameter('@pnumber', 'nvarchar')],
        errors,
      );
      expect({ names: calls[0]?.arguments.map((one) => one.name), errors }).toEqual({
        names: ['@pnumber'],
        errors: [],
      });
    }
  },
);

test('toSetCalls() takes as many objects as a request can carry', () => {
  const errors: FieldError[] = [];
  const text = `[${Array(2_000).fill('{}').join(',')}]`;
  expect(toSetCalls({ name: 'invoice', text }, [], errors)).toHaveLength(2_000);
});

test('toSetCalls() refuses more objects than a request can carry, and does not look at them', () => {
  expect(() => callsOf(`[${Array(2_001).fill('{}').join(',')}]`)).toThrow(
    expect.objectContaining({ kind: 'too-large', code: 'too-many-values' }),
  );
});

describe('callStatements()', () => {
  test('quotes the procedure and passes every value as a parameter', () => {
    const call = {
      identifier: "a]b'",
      arguments: [{ name: '@pnumber', parameter: { type: 'int' as const, value: 5 } }],
    };
    expect(callStatements([call, call], () => true)).toEqual({
      statements: [
        "EXEC dbo.[pCustomData_a]]b'_Set] @propID = @propID, @usrPropID = @usrPropID, @langID = @langID, @pnumber = @v0;",
        "EXEC dbo.[pCustomData_a]]b'_Set] @propID = @propID, @usrPropID = @usrPropID, @langID = @langID, @pnumber = @v1;",
      ].join('\n'),
      parameters: { v0: { type: 'int', value: 5 }, v1: { type: 'int', value: 5 } },
    });
  });

  test('passes the language only to procedures that take one', () => {
    const call = (identifier: string) => ({ identifier, arguments: [] });
    expect(callStatements([call('a'), call('b')], (identifier) => identifier === 'b').statements).toBe(
      [
        'EXEC dbo.[pCustomData_a_Set] @propID = @propID, @usrPropID = @usrPropID;',
        'EXEC dbo.[pCustomData_b_Set] @propID = @propID, @usrPropID = @usrPropID, @langID = @langID;',
      ].join('\n'),
    );
  });

  test('takes as many values as a request can carry', () => {
    const call = {
      identifier: 'a',
      arguments: [{ name: '@pnumber', parameter: { type: 'int' as const, value: 5 } }],
    };
    const { parameters } = callStatements(Array(2_000).fill(call), () => false);
    expect(Object.keys(parameters)).toHaveLength(2_000);
  });

  test('refuses more values than a request can carry', () => {
    const call = {
      identifier: 'a',
      arguments: [{ name: '@pnumber', parameter: { type: 'int' as const, value: 5 } }],
    };
    expect(() => callStatements(Array(2_001).fill(call), () => false)).toThrow(
      expect.objectContaining({ code: 'too-many-values' }),
    );
  });
});
