import { expect, test } from 'vitest';
import { checkStored, readCustomData } from '../../../../shared/custom-data/read.ts';
import type { Database } from '../../../../shared/sql/database.ts';

test('a stored value that is not JSON is an error that names its identifier, and quotes nothing of it', async () => {
  const failure: unknown = await checkStored([
    { identifier: 'notes', kind: 'JSON', customData: '"public"' },
    { identifier: 'parties', kind: 'REF', shape: undefined, source: { hasProcedure: true, view: 'missing' } },
    { identifier: 'remarks', kind: 'JSON', customData: 'secret' },
  ]).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 'custom-data-not-json',
    message: 'Cannot read the custom data "remarks": what is stored is not JSON.',
  });
  expect(failure).not.toHaveProperty('cause');
});

test('custom data is read until no change falls between its parts, five times at most', async () => {
  const user = { usrPropID: 2, langID: 1033, account: 'alice', name: 'Alice Archer' };
  /** Reads while changes come in between; returns how often each statement was sent. */
  async function sentWhile(changes: number): Promise<readonly number[]> {
    const sent = new Map<string, number>();
    let version = 1;
    let remaining = changes;
    const column = (name: string) => ({ name, type: 'nvarchar', scale: 0 });
    const row = (values: Readonly<Record<string, string | number | null>>) => ({
      columns: Object.keys(values).map(column),
      rows: [Object.values(values)],
    });
    const customization: Database = {
      async query(_sql, _parameters, { name = '' } = {}) {
        sent.set(name, (sent.get(name) ?? 0) + 1);
        if (name === 'read registrations') {
          const view = { getProcedure: null, customView: 1, viewPropID: 1 };
          return [row({ version }), row({ identifier: 'a', kind: 'REF', shape: 'many', ...view })];
        }
        if (remaining-- > 0) version += 1;
        return [row({ version })];
      },
    };
    await readCustomData(customization, { propID: 7, typeID: 2, user });
    return [...sent.values()];
  }
  expect([await sentWhile(0), await sentWhile(1), await sentWhile(9)]).toEqual([
    [1, 1],
    [2, 2],
    [5, 5],
  ]);
});
