/** A PUT of custom data whose change is stored, over a database that gives anything behind it: never an error. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { storedReply } from '../../../../functions/records/wire/replacement-reply.ts';
import { replaceCustomData } from '../../../../shared/custom-data/replace.ts';
import type { Database } from '../../../../shared/sql/database.ts';
import { SqlFailure } from '../../../../shared/sql/failure.ts';
import type { ResultSet, SqlValue } from '../../../../shared/sql/values.ts';
import { fc } from '../../../support/properties.ts';

// Each fault is a line in the log, which is written in the next turn.
const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
afterAll(async () => {
  await nextTurn();
  write.mockRestore();
});

const user = { usrPropID: 2, langID: 1033, account: 'alice', name: 'Alice Archer' };
const of = { propID: 7, typeID: 2, user };

const row = (values: Readonly<Record<string, SqlValue>>): ResultSet => ({
  columns: Object.keys(values).map((name) => ({ name, type: 'nvarchar', scale: 0 })),
  rows: [Object.values(values)],
});

/** A database with one source, which answers with these results behind the outcome of a change. */
function databaseWith(behind: readonly ResultSet[], version: SqlValue = 2): Database {
  return {
    async query(_sql, _parameters, { name = '', outcome = [], onResults } = {}) {
      if (name === 'read registrations')
        return [
          row({ version: 1 }),
          row({
            identifier: 'a',
            kind: 'REF',
            shape: null,
            getProcedure: 1,
            customView: null,
            viewPropID: null,
          }),
        ];
      const results = [row({ [String(outcome[0])]: 'stored', [String(outcome[1])]: version }), ...behind];
      onResults?.(results);
      return results;
    },
  };
}

const source = [row({ $source: 0, $at: 1 }), row({ x: 1 }), row({ $source: 1, $at: 2 })];

test('the state is known where sources are read, and nothing has changed meanwhile', async () => {
  const put = async (...database: Parameters<typeof databaseWith>) =>
    (await replaceCustomData(databaseWith(...database), of, '{"b":2}', undefined)).state?.content;
  expect([
    await put([...source, row({ version: 2 })]),
    await put([...source, row({ version: 3 })]),
    await put([...source, row({ version: null })], null),
    await put([]),
  ]).toEqual(['{"a":{"x":1},"b":2}', undefined, undefined, undefined]);
});

/** What no driver gives: it stands for a fault in any conversion. */
const poison = {
  toString() {
    throw new TypeError('fault in a conversion');
  },
  toJSON() {
    throw new TypeError('fault in a conversion');
  },
} as unknown as SqlValue;

const anyValue = fc.oneof(
  fc.constantFrom<SqlValue>(null, poison, new Date(Number.NaN), Number.NaN, true),
  fc.string(),
  fc.double(),
);
const anyResult = fc.record({
  columns: fc.array(
    fc.record({
      name: fc.constantFrom('$source', '$at', 'version', '$failed', '$outcome', '$version', 'a', ''),
      type: fc.constantFrom('decimal', 'datetime2', 'real', 'for json', 'for xml', 'unknown'),
      scale: fc.integer({ min: -1, max: 200 }),
    }),
    { maxLength: 3 },
  ),
  rows: fc.array(fc.array(anyValue, { maxLength: 3 }), { maxLength: 2 }),
});

test('no fault behind the outcome is an error of the change', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(anyResult, fc.constantFrom(...source, row({ version: 2 }))), { maxLength: 6 }),
      fc.constantFrom<SqlValue>(2, null, 'x'),
      async (behind, version) => {
        const { isNew } = await replaceCustomData(databaseWith(behind, version), of, '{"b":2}', undefined);
        expect(isNew).toBe(false);
      },
    ),
  );
});

test.each([new TypeError('fault in a conversion'), new SqlFailure('fault', { number: 8134 })])(
  'a state that cannot be read again for %s leaves the preference out',
  async (fault) => {
    const target = { href: 'https://localhost/x', rel: 'x', read: () => Promise.reject(fault) };
    const reply = await storedReply('representation', { state: undefined, isNew: false }, target);
    expect(reply).toMatchObject({ status: 200, headers: {}, body: { json: { _links: [{ rel: 'x' }] } } });
  },
);

test('what a procedure refuses is the answer, also where the current value cannot be read', async () => {
  const refusal = new SqlFailure('no', { number: 50_001, procedure: 'pCustomData_a_Set' });
  const failing: Database = {
    async query(sql, parameters, options = {}) {
      if (options.name === 'store custom data') throw refusal;
      if (options.name === 'read sources') throw new SqlFailure('broken', { number: 8134 });
      const found = await databaseWith([]).query(sql, parameters, options);
      const parameter = { identifier: 'a', name: '@px', type: 'int', maxLength: 4, precision: 10, scale: 0 };
      return [...found, row(parameter)];
    },
  };
  await expect(replaceCustomData(failing, of, '{"a":{"x":1}}', undefined)).rejects.toMatchObject({
    code: 'custom-data-refused',
    message: 'Cannot store custom data: no',
  });
});
