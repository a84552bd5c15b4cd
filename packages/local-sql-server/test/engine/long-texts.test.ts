/** Long texts with letters beyond ASCII: positions in them have no limit. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEngine } from '../../src/engine/engine.ts';
import type { Engine } from '../../src/engine/session.ts';
import { collationKey } from '../../src/engine/values/collation.ts';
import { run } from './run.ts';

let engine: Engine;
beforeEach(() => {
  engine = openEngine({ folder: undefined, databases: ['main'] });
});
afterEach(() => engine.close());

const collations = [
  'Danish_Norwegian_CI_AS',
  'Latin1_General_CI_AS',
  'Latin1_General_CS_AS',
  'Finnish_Swedish_CI_AS',
];

/** Around the ends of what one character says, and where its code would be half of a surrogate pair. */
const lengths = [0x7fff, 0x8000, 0x8001, 0xd7df, 0xd7e0, 0xdbff, 0xdfff, 0x10000, 0x18000];

test.each(collations)('%s tells texts apart by their last accent', async (collation) => {
  const session = engine.openSession({ user: 'sa', database: 'main', application: 'test' });
  await run(session, `CREATE TABLE T (x nvarchar(max) COLLATE ${collation})`);
  for (const length of lengths) {
    const text = (letter: string) =>
      `CAST(REPLICATE(CAST(N'a' AS nvarchar(max)), ${length}) AS nvarchar(max)) + N'${letter}'`;
    expect(
      await run(
        session,
        `DELETE T; INSERT T VALUES (${text('é')}), (${text('e')}), (${text('é')} + N' '), (${text('è')});
SELECT COUNT(DISTINCT x), SUM(CASE WHEN x = ${text('é')} THEN 1 ELSE 0 END) FROM T`,
      ),
      String(length),
    ).toEqual([[3, 2]]);
  }
});

test('an accent further on makes a text greater, and its key is text', () => {
  const keys = lengths.map((length) =>
    collationKey(`${'e'.repeat(length)}é${'e'.repeat(0x18000 - length)}`, 'ci_as'),
  );
  const isBehind = keys.map((key, index) => index === 0 || key > (keys[index - 1] ?? ''));
  expect(isBehind).toEqual(lengths.map(() => true));
  expect(keys.map((key) => key.isWellFormed())).toEqual(lengths.map(() => true));
});
