/** The directory of objects, which caches for a while which numbers identifiers stand for. */

import { expect, test } from 'vitest';
import { Objects } from '../../../../../functions/records/objects/find.ts';
import { objectKinds } from '../../../../../functions/records/objects/kinds.ts';
import type { Database } from '../../../../../shared/sql/database.ts';
import { useFakeClock } from '../../../../support/timers.ts';

const kind = objectKinds.document;
const numbers: Readonly<Record<string, number>> = { a: 1, b: 2, c: 3 };
const columns = ['objectID', 'propID', 'typeID'].map((name) => ({
  name,
  type: 'nvarchar',
  scale: 0,
}));

const askedColumns = [{ name: '$objectID', type: 'nvarchar', scale: 0 }];

test('an object that is known is found, even if its time ends while others are looked for', async () => {
  const pass = useFakeClock();
  const asked: string[][] = [];
  let answerTakes = 0;
  const main: Database = {
    async query(_, { objectIDs } = {}) {
      const ids: string[] = JSON.parse(String(objectIDs?.value));
      asked.push(ids);
      pass(answerTakes);
      // An identifier, and then what the procedure says of it.
      return ids.flatMap((id) => [
        { columns: askedColumns, rows: [[id]] },
        { columns, rows: [[id, numbers[id] ?? 0, 5]] },
      ]);
    },
  };
  const objects = new Objects(() => ({ [kind.collection]: 5 }));
  expect([...(await objects.propIdsOf(main, kind, ['a', 'b'])).values()]).toEqual([1, 2]);
  pass(4_900);
  answerTakes = 200;
  expect([...(await objects.propIdsOf(main, kind, ['a', 'b', 'c'])).values()]).toEqual([1, 2, 3]);
  expect(asked).toEqual([['a', 'b'], ['c']]);
});
