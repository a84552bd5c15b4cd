/** What a source of custom data that cannot be read is called. */

import { describe, expect, test } from 'vitest';
import { readSources } from '../../../../shared/custom-data/sources/read-sources.ts';
import type { Reference } from '../../../../shared/custom-data/sources/reference.ts';
import { toSourceValues } from '../../../../shared/custom-data/sources/source-values.ts';
import type { Database } from '../../../../shared/sql/database.ts';
import { SqlFailure } from '../../../../shared/sql/failure.ts';

const user = { usrPropID: 2, langID: 1033, account: 'alice', name: 'Alice Archer' };
const reference = (identifier: string, source: Reference['source']) =>
  ({ identifier, kind: 'REF', source }) as Reference;
const readable = (identifier: string) => reference(identifier, { hasProcedure: true, view: 'missing' });

async function failureOf(references: readonly Reference[], error?: unknown): Promise<unknown> {
  const failing: Database = { query: () => Promise.reject(error) };
  return readSources(failing, references, { propID: 7, user }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

describe('a source of custom data', () => {
  test('that is not there is named, with what can be done', async () => {
    const missing = reference('invoice', { hasProcedure: false, view: 'missing' });
    expect(await failureOf([readable('other'), missing])).toMatchObject({
      code: 'custom-data-source-missing',
      message:
        'Cannot read the custom data "invoice": neither the procedure pCustomData_invoice_Get nor the view CustomData_invoice exists.',
      hint: 'Create one of them in the customization database, give the user of the service the right to it, or remove the registration.',
      facts: { identifier: 'invoice' },
    });
  });

  test('that is a view without the column of the object is named', async () => {
    expect(
      await failureOf([reference('invoice', { hasProcedure: false, view: 'without-propID' })]),
    ).toMatchObject({
      code: 'custom-data-source-failed',
      message: 'Cannot read the custom data "invoice": the view CustomData_invoice has no column propID.',
      hint: 'Give it the column propID, which says to which object a row belongs.',
      facts: { identifier: 'invoice' },
    });
  });

  const failure = (procedure?: string) => new SqlFailure('secret', { number: 8134, procedure });
  const two = [readable('invoice'), readable('parcels')];
  test.each([
    [
      'is known by its procedure, in any case',
      two,
      failure('dbo.PCUSTOMDATA_parcels_get'),
      ['the custom data "parcels": the procedure PCUSTOMDATA_parcels_get', { identifier: 'parcels' }],
    ],
    [
      'is the only one',
      [readable('invoice')],
      failure(),
      ['the custom data "invoice": its source', { identifier: 'invoice' }],
    ],
    ['is one of several', two, failure(), ['the custom data: its source', {}]],
    [
      'is one of several, by a procedure that it calls',
      two,
      failure('pOther'),
      ['the custom data: the procedure pOther', {}],
    ],
  ] as const)('that fails %s', async (_what, references, error, [what, facts]) => {
    expect(await failureOf(references, error)).toMatchObject({
      code: 'custom-data-source-failed',
      message: `Cannot read ${what} failed with SQL error 8134.`,
      facts: { number: 8134, ...facts },
      cause: error,
    });
  });

  test('that forbids the reading has its message', async () => {
    const error = new SqlFailure('No.', { number: 50_403, procedure: 'pCustomData_invoice_Get' });
    expect(await failureOf(two, error)).toMatchObject({
      kind: 'forbidden',
      code: 'custom-data-forbidden',
      message: 'Cannot read the custom data "invoice": No.',
      facts: { number: 50_403, identifier: 'invoice' },
      cause: error,
    });
  });

  test('is read without a question where there is none, and other failures stay as they are', async () => {
    expect(await failureOf([], new Error('x'))).toBeUndefined();
    const other = new Error('x');
    expect(await failureOf(two, other)).toBe(other);
  });
});

test('what is read belongs to the source that it came from, and a procedure without a result has nothing', async () => {
  const result = (values: Readonly<Record<string, number>>) => ({
    columns: Object.keys(values).map((name) => ({ name, type: 'int', scale: 0 })),
    rows: [Object.values(values)],
  });
  const references = [readable('a'), readable('b'), readable('c')];
  const results = [
    result({ before: 1 }),
    result({ $source: 0, $at: 1 }),
    result({ x: 1 }),
    result({ second: 2 }),
    result({ $source: 1, $at: 1 }),
    result({ $source: 2, $at: 1 }),
    result({ $source: 3, $at: 1 }),
    result({ version: 7 }),
  ];
  const { values, version } = await toSourceValues(references, results);
  expect([Object.fromEntries(values), version]).toEqual([{ a: '{"x":1}', b: 'null', c: 'null' }, 7]);
});
