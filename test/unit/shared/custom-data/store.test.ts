/** What each number of SQL Server's errors becomes when a procedure of custom data raises it. */

import { describe, expect, test } from 'vitest';
import { storeCustomData } from '../../../../shared/custom-data/store.ts';
import type { CodedError } from '../../../../shared/errors.ts';
import type { Database } from '../../../../shared/sql/database.ts';
import { SqlFailure } from '../../../../shared/sql/failure.ts';

const user = { usrPropID: 2, langID: 1033, account: 'alice', name: 'Alice Archer' };
const snapshot = { registrations: [], version: 0, setParameters: new Map() };
const call = (identifier: string) => ({
  identifier,
  pointer: `/${identifier}`,
  source: '{}',
  arguments: [],
  unknown: [],
  errors: [],
});

/** Stores a change whose statement fails. Returns what is thrown. */
async function failureOf(error: unknown, identifiers: readonly string[] = ['invoice']): Promise<CodedError> {
  const failing: Database = { query: () => Promise.reject(error) };
  const change = { rows: [], calls: identifiers.map(call), snapshot, conditional: false };
  return storeCustomData(failing, { propID: 7, user }, change).then(
    () => {
      throw new Error('It was stored');
    },
    (thrown: CodedError) => thrown,
  );
}

const failure = (number: number, procedure?: string) =>
  new SqlFailure(`secret of ${number}`, { number, procedure });

describe('an error of a procedure', () => {
  const expected: readonly [kind: string, code: string, numbers: readonly number[]][] = [
    ['conflict', 'custom-data-conflict', [547, 2601, 2627]],
    [
      'invalid',
      'custom-data-value',
      // The whole table, written out a second time.
      [
        220, 232, 234, 235, 236, 237, 238, 241, 242, 244, 245, 248, 289, 293, 294, 295, 296, 298, 515, 517,
        535, 536, 537, 1007, 2628, 3606, 8023, 8114, 8115, 8152, 8169, 8170, 9402, 9410, 9411, 9420, 9421,
        9422, 9437, 9438, 9441, 9444, 9448, 9455, 9803, 9807, 13_608, 13_609, 13_623, 13_624,
      ],
    ],
    ['unprocessable', 'custom-data-refused', [50_000, 50_001, 2_147_483_647]],
    [
      'misconfigured',
      'custom-data-source-failed',
      [102, 201, 207, 208, 229, 266, 546, 548, 2602, 2812, 8134, 8144, 8145, 8153, 49_999],
    ],
  ];

  test('have a kind and a code by their number', async () => {
    for (const [number, kind, code] of expected.flatMap(([kind, code, numbers]) =>
      numbers.map((number) => [number, kind, code] as const),
    )) {
      const error = await failureOf(failure(number));
      expect(error, `error ${number}`).toMatchObject({ name: 'CodedError', kind, code, facts: { number } });
      const told = number >= 50_000;
      expect(error.message, `error ${number}`).toBe(
        told
          ? `Cannot store custom data: secret of ${number}`
          : `Cannot store custom data: pCustomData_invoice_Set failed with SQL error ${number}.`,
      );
    }
  });

  test('is given to the identifier whose procedure the server names', async () => {
    const where = async (procedure: string | undefined, ...identifiers: string[]) => {
      const { message, errors } = await failureOf(failure(547, procedure), identifiers);
      return [message.replace(/^.*: (.*) failed.*$/, '$1'), errors?.map(({ pointer }) => pointer)];
    };
    expect(await where('pCustomData_b_Set', 'a', 'b')).toEqual(['pCustomData_b_Set', ['/b']]);
    expect(await where('PCUSTOMDATA_B_SET', 'a', 'b')).toEqual(['pCustomData_b_Set', ['/b']]);
    expect(await where('another', 'a', 'a')).toEqual(['pCustomData_a_Set', ['/a']]);
    expect(await where('another', 'a', 'b')).toEqual(['a custom procedure', undefined]);
    expect(await where(undefined, 'a', 'b')).toEqual(['a custom procedure', undefined]);
  });
});

describe('error 201', () => {
  const missing = (procedure: string, parameter: string) =>
    new SqlFailure(
      `Procedure or function '${procedure}' expects parameter '${parameter}', which was not supplied.`,
      { number: 201, procedure },
    );

  test('names the property that is missing', async () => {
    expect(await failureOf(missing('pCustomData_b_Set', '@pamount'), ['a', 'b'])).toMatchObject({
      code: 'invalid-body',
      errors: [{ pointer: '/b/amount', detail: 'is missing' }],
    });
  });

  test.each([
    ['another procedure', 'pAnother', '@pamount'],
    ['a parameter that no property can fill', 'pCustomData_invoice_Set', '@amount'],
  ])('of %s is a fault of the procedure', async (_, procedure, parameter) => {
    expect(await failureOf(missing(procedure, parameter))).toMatchObject({
      code: 'custom-data-source-failed',
    });
  });
});

test('an error without any procedure is that of our own statement', async () => {
  const error = failure(547);
  expect(await failureOf(error, [])).toBe(error);
});

test('an error that is none of a statement stays what it is', async () => {
  const error = new TypeError('ours');
  expect(await failureOf(error)).toBe(error);
});
