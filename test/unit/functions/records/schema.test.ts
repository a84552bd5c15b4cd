import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  isSchemaAhead,
  readSchemaVersions,
  schemaVersions,
} from '../../../../functions/records/database/schema.ts';
import type { Database } from '../../../../shared/sql/database.ts';
import { SqlFailure } from '../../../../shared/sql/failure.ts';

const folder = join(import.meta.dirname, '../../../../infra/database');

test.each(Object.entries(schemaVersions))(
  'schemaVersions.%s is the number of the last script',
  (name, version) => {
    const numbers = readdirSync(join(folder, name)).map((file) => Number.parseInt(file, 10));
    expect(Math.max(...numbers)).toBe(version);
  },
);

const columns = [{ name: 'script', type: 'nvarchar', scale: 0 }];

/** A database with a journal of these scripts; without any journal for an empty list. */
const withJournal = (scripts: readonly string[] | undefined): Database => ({
  async query() {
    if (scripts === undefined)
      throw new SqlFailure("Invalid object name 'dbo.tSchemaJournal'.", { number: 208 });
    return [{ columns, rows: scripts.map((script) => [script]) }];
  },
});

const last = (kind: 'main' | 'customization', more = 0) =>
  `database/${kind}/${schemaVersions[kind] + more}-last.sql`;
const customization = withJournal([last('customization')]);

test.each([
  ['no journal', undefined, 0],
  ['an empty journal', [], 0],
  ['one script', ['database/main/010-a.sql'], 10],
  [
    'many in any order',
    ['database/main/020-b.sql', 'database/main/110-c.sql', 'database/main/100-a.sql'],
    110,
  ],
  ['a script without a number', ['database/main/a.sql'], 0],
  ['what stands for all scripts, of an existing product', ['database/main/'], schemaVersions.main],
])('with %s the last script is %j', async (_what, scripts, applied) => {
  expect(await readSchemaVersions({ main: withJournal(scripts), customization })).toEqual({
    main: { applied, expected: schemaVersions.main },
    customization: { applied: schemaVersions.customization, expected: schemaVersions.customization },
  });
});

test('scripts of an existing product stand for none of the customization database', async () => {
  const main = withJournal([last('main')]);
  const versions = await readSchemaVersions({
    main,
    customization: withJournal(['database/customization/']),
  });
  expect(versions.customization.applied).toBe(0);
});

test.each([
  ['main', withJournal(undefined), customization, 'none'],
  ['main', withJournal(['database/main/010-a.sql']), withJournal(undefined), '10'],
  ['customization', withJournal([last('main', 10)]), withJournal(['database/customization/010-a.sql']), '10'],
] as const)('a %s database that is behind is told', async (name, main, other, found) => {
  await expect(isSchemaAhead({ main, customization: other })).rejects.toMatchObject({
    code: 'schema-behind',
    message: `The ${name} database is older than this version of the service: its last script is ${found}, and ${schemaVersions[name]} is needed.`,
    hint: 'Run "npm run migrate".',
  });
});

test.each([
  [0, 0, false],
  [10, 0, true],
  [0, 10, true],
])(
  'databases whose last scripts are %d and %d ahead are ahead: %s',
  async (ofMain, ofCustomization, expected) => {
    const main = withJournal([last('main', ofMain)]);
    const databases = { main, customization: withJournal([last('customization', ofCustomization)]) };
    expect(await isSchemaAhead(databases)).toBe(expected);
  },
);

test('another failure is no missing journal', async () => {
  const failing: Database = {
    query: () => Promise.reject(new SqlFailure('The SELECT permission was denied.', { number: 229 })),
  };
  await expect(readSchemaVersions({ main: failing, customization })).rejects.toMatchObject({ number: 229 });
});
