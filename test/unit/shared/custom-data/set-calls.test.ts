import { describe, expect, test } from 'vitest';
import { callStatements, toSetCalls } from '../../../../shared/custom-data/set-calls.ts';

const parameter = (name: string, type: string) => ({ name, type, maxLength: 80, precision: 18, scale: 2 });
const parameters = [
  parameter('@propID', 'int'),
  parameter('@usrPropID', 'int'),
  parameter('@pnumber', 'nvarchar'),
  parameter('@pAmount', 'decimal'),
];

const callsOf = (text: string) => toSetCalls({ name: 'invoice', text }, parameters);

describe('toSetCalls()', () => {
  test('makes one call of an object, by parameter name without regard to case', async () => {
    const source = '{"number":"1","amount":2.50,"colour":"red"}';
    expect(await callsOf(source)).toEqual([
      {
        identifier: 'invoice',
        pointer: '/invoice',
        source,
        arguments: [
          {
            name: '@pnumber',
            pointer: '/invoice/number',
            parameter: { type: 'nvarchar', length: 40, value: '1' },
          },
          {
            name: '@pAmount',
            pointer: '/invoice/amount',
            parameter: { type: 'nvarchar', length: 48, value: '2.5' },
          },
        ],
        unknown: [{ name: 'colour', text: '"red"' }],
        errors: [],
      },
    ]);
  });

  test.each(['{"number":"1"}', '[{"number":"1"},{}]', '[]', 'null'])(
    'passes %s whole to a procedure with @json',
    async (text) => {
      const whole = [...parameters.slice(0, 2), parameter('@Json', 'nvarchar')];
      const calls = await toSetCalls({ name: 'list', text }, [
        { ...whole[2], maxLength: -1 } as (typeof whole)[0],
      ]);
      expect(calls).toMatchObject([
        { pointer: '/list', source: text, arguments: [{ name: '@Json', parameter: { value: text } }] },
      ]);
    },
  );

  test('says where what is passed whole does not fit', async () => {
    const json = { ...parameter('@json', 'nvarchar'), maxLength: 8 };
    expect(await toSetCalls({ name: 'list', text: '[{"a":1}]' }, [json])).toMatchObject([
      { arguments: [], errors: [{ pointer: '/list', detail: expect.stringContaining('4') }] },
    ]);
  });

  test.each([
    [
      'a property that is given twice',
      '{"number":"1","amount":1,"Amount":1}',
      '/invoice/Amount',
      'is given twice',
    ],
    ['a value that does not fit', '{"number":"1","amount":"1"}', '/invoice/amount', 'must be a number'],
    [
      'a value that does not fit in an element',
      '[{"number":"1","amount":1},{"number":"1","amount":true}]',
      '/invoice/1/amount',
      'must be a number',
    ],
  ])('names %s', async (_, text, pointer, detail) => {
    expect((await callsOf(text)).flatMap(({ errors }) => errors)).toEqual([{ pointer, detail }]);
  });

  test('does not let callers fill in what the service does', async () => {
    expect(await callsOf('{"ropID":7}')).toMatchObject([{ arguments: [], unknown: [{ name: 'ropID' }] }]);
  });
});

test.each(['@propID', '@usrPropID', '@langID'])(
  'toSetCalls() leaves %s to the service, in any case of its letters',
  async (name) => {
    for (const written of [name, name.toLowerCase(), name.toUpperCase()]) {
      const calls = await toSetCalls({ name: 'invoice', text: '{"number":"1"}' }, [
        parameter(written, 'int'),
        parameter('@pnumber', 'nvarchar'),
      ]);
      expect(calls[0]?.arguments.map((item) => item.name)).toEqual(['@pnumber']);
    }
  },
);

test('toSetCalls() refuses more objects than a request can carry, and does not look at them', async () => {
  await expect(callsOf(`[${Array(2_001).fill('{}').join(',')}]`)).rejects.toThrow(
    expect.objectContaining({ kind: 'too-large', code: 'too-many-values' }),
  );
});

const empty = (identifier: string) => ({
  identifier,
  pointer: `/${identifier}`,
  source: '{}',
  arguments: [],
  unknown: [],
  errors: [],
});

describe('callStatements()', () => {
  test('quotes the procedure and passes every value as a parameter', () => {
    const call = {
      ...empty("a]b]'"),
      arguments: [{ name: '@pnumber', pointer: '/number', parameter: { type: 'int' as const, value: 5 } }],
    };
    expect(callStatements([call, call], () => true)).toEqual({
      statements: [
        "RAISERROR(N'$step 0', 0, 1) WITH NOWAIT;",
        "EXEC dbo.[pCustomData_a]]b]]'_Set] @propID = @propID, @usrPropID = @usrPropID, @langID = @langID, @pnumber = @v0;",
        "IF CURRENT_TRANSACTION_ID() <> @transaction THROW 2147483264, N'0', 1;",
        "EXEC dbo.[pCustomData_a]]b]]'_Set] @propID = @propID, @usrPropID = @usrPropID, @langID = @langID, @pnumber = @v1;",
        "IF CURRENT_TRANSACTION_ID() <> @transaction THROW 2147483264, N'1', 1;",
      ].join('\n'),
      parameters: { v0: { type: 'int', value: 5 }, v1: { type: 'int', value: 5 } },
    });
  });
});
