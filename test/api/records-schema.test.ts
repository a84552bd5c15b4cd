/** What health and calls answer when the databases are not what the service needs. */

import { describe, expect, test } from 'vitest';
import { schemaVersions } from '../../functions/records/database/schema.ts';
import { useApp } from '../support/app.ts';
import { databasesOf } from '../support/execute-sql.ts';
import { healthOfNewApp, recordsAs } from '../support/records.ts';

const app = useApp();
const { main } = databasesOf(app);
const alice = recordsAs(app, 'alice@example.org');

describe('GET /health of an app that starts', () => {
  test('says schema-behind when the databases lack a script; a token with a role is shown which was the last, and which is needed', async () => {
    await main(
      "UPDATE dbo.tSchemaJournal SET script = N'x' + script WHERE script LIKE N'database/main/1[1-9]%'",
    );
    try {
      expect(await healthOfNewApp(app, app.token('alice@example.org', ['Service.Access']))).toEqual([
        {
          status: 503,
          database: {
            state: 'failing',
            code: 'schema-behind',
            detail: expect.stringMatching(
              /^The main database is older than this version of the service: its last script is 100, and \d+ is needed\.$/,
            ),
          },
        },
        {
          status: 503,
          database: expect.objectContaining({
            code: 'schema-behind',
            schema: {
              main: { applied: 100, expected: schemaVersions.main },
              customization: {
                applied: schemaVersions.customization,
                expected: schemaVersions.customization,
              },
            },
            missingSources: [],
          }),
        },
      ]);
    } finally {
      await main("UPDATE dbo.tSchemaJournal SET script = SUBSTRING(script, 2, 200) WHERE script LIKE N'x%'");
    }
  });

  test('is ready, and says schema-ahead, when newer scripts have run', async () => {
    await main(
      "INSERT INTO dbo.tSchemaJournal (script, digest, position) VALUES (N'database/main/999-new.sql', N'', 999)",
    );
    try {
      expect(await healthOfNewApp(app)).toEqual([
        {
          status: 200,
          database: {
            state: 'ready',
            code: 'schema-ahead',
            detail: 'The databases are newer than this version of the service.',
          },
        },
      ]);
    } finally {
      await main("DELETE FROM dbo.tSchemaJournal WHERE script = N'database/main/999-new.sql'");
    }
  });
});

describe('a database that lacks something', () => {
  test('is told by what is missing', async () => {
    await main('DROP VIEW dbo.vServiceUsers');
    try {
      await expect
        .poll(async () => (await alice('GET', '/v8.0/authorized')).json)
        .toMatchObject({
          status: 500,
          code: 'database-contract',
          detail: 'Cannot use the database: dbo.vServiceUsers is missing.',
          hint: '"npm run migrate -- --contract" lists what the service needs of its databases.',
        });
      expect(await healthOfNewApp(app)).toMatchObject([{ database: { code: 'database-contract' } }]);
    } finally {
      await main(
        'CREATE VIEW dbo.vServiceUsers AS SELECT u.usrPropID, u.account, p.name, p.email, u.langID FROM dbo.tUserSettings u LEFT JOIN dbo.tPersons p ON p.propID = u.usrPropID',
      );
    }
  });

  test.each([
    ['OBJECT_TYPES', 'deeds=x'],
    ['OBJECT_METADATA', 'cases'],
  ])('is not reached with an unusable %s, which every call names', async (name, value) => {
    await using another = await app.startAnother({ APIS: 'records', [name]: value });
    for (const path of ['/v8.0/authorized', '/v7/diaries']) {
      const reply = await fetch(`${another.base}${path}`, {
        headers: { Authorization: `Bearer ${app.token('alice@example.org')}` },
      });
      expect(await reply.json()).toMatchObject({
        status: 500,
        code: 'configuration',
        detail: expect.stringContaining(`The setting ${name} is not usable`),
      });
    }
  });
});

describe('texts are compared the same on every server', () => {
  test('e-mail addresses by letters of ASCII without their case', async () => {
    await main("UPDATE dbo.tPersons SET email = N'Åse.IDA@Example.org' WHERE name = N'Fiona Finch'");
    try {
      const status = async (email: string) => (await recordsAs(app, email)('GET', '/v8.0/authorized')).status;
      expect(await status('Åse.ida@example.ORG')).toBe(200);
      for (const other of [
        'åse.ida@example.org',
        'Aase.ida@example.org',
        'Ase.ida@example.org',
        'Åse.ıda@example.org',
      ])
        expect({ other, status: await status(other) }).toEqual({ other, status: 401 });
    } finally {
      await main("UPDATE dbo.tPersons SET email = N'fiona@example.org' WHERE name = N'Fiona Finch'");
    }
  });

  test('bk-fields character by character', async () => {
    const found = async (text: string) =>
      ((await alice('GET', `/v8.0/journalized-cases?bkStr01=${encodeURIComponent(text)}`)).json as unknown[])
        .length;
    expect([await found('Harbour Road'), await found('harbour road'), await found('Hárbour Road')]).toEqual([
      1, 0, 0,
    ]);
  });
});
