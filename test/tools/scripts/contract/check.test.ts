/** The contract check against databases with one difference each, with the printed line. */

import { randomUUID } from 'node:crypto';
import { startSqlServer } from '@records-and-calendar/local-sql-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkContract, findingsOf } from '../../../../scripts/contract/check.ts';
import { findingLine } from '../../../../scripts/contract/findings.ts';
import { databaseScripts, migrateDatabases } from '../../../../scripts/migrate/migrate.ts';
import { readConfig } from '../../../../shared/config.ts';
import type { Database } from '../../../../shared/sql/database.ts';
import { databasesOf, settingsForPort } from '../../../support/database-settings.ts';
import { executeSql } from '../../../support/execute-sql.ts';
import {
  createObjectViews,
  createProduct,
  productSettings,
  viewSettings,
} from '../../../support/existing-product.ts';
import { copyDatabases } from '../../../support/sample-databases.ts';

const login = { user: 'sa', password: 'Local-only-1' };
const server = await startSqlServer({
  databases: ['product', 'productCustom', 'own', 'ownCustom'],
  users: { [login.user]: login.password },
});
afterAll(() => server.stop());

type Settings = Readonly<Record<string, string>>;

function settingsOf(main: string, customization: string): Settings {
  return { ...settingsForPort(server.port, login), DB_NAME: main, DB_CUSTOMIZATION_NAME: customization };
}

/** Databases of an existing product with the service, which the other databases are copies of. */
const adopted = { ...settingsOf('product', 'productCustom'), ...productSettings };
beforeAll(async () => {
  await createProduct(adopted);
  await migrate(adopted, 'adopt');
});

/** Returns the settings of new copies of these databases. */
async function adoptedSettings(): Promise<Settings> {
  const id = randomUUID().slice(0, 8);
  const settings = { ...adopted, ...settingsOf(`main${id}`, `custom${id}`) };
  await copyDatabases(adopted, settings);
  return settings;
}

function migrate(settings: Settings, mode: 'adopt' | 'apply'): Promise<void> {
  return migrateDatabases(settings, { folders: [databaseScripts], mode, create: false, say: () => {} });
}

/** Returns whether the contract is fulfilled, and the lines of its differences with single spaces. */
async function check(settings: Settings) {
  const lines: string[] = [];
  const fulfilled = await checkContract(settings, (line) => lines.push(line)).then(
    () => true,
    (error: Error) => {
      if (!error.message.startsWith('The databases are not what the service needs')) throw error;
      return false;
    },
  );
  return {
    fulfilled,
    lines,
    wrong: lines.filter((line) => /^(missing|different)/.test(line)).map((line) => line.replace(/ +/g, ' ')),
  };
}

describe('a database that fulfils the contract', () => {
  test('of an existing product', async () => {
    const { fulfilled, lines } = await check(await adoptedSettings());
    expect({ fulfilled, last: lines.at(-1) }).toEqual({
      fulfilled: true,
      last: expect.stringMatching(/^Contract: \d\d found, 0 missing, 0 different\.$/),
    });
    expect(lines).toContain('found     main          column email of vServiceUsers');
    expect(lines).toContainEqual(expect.stringMatching(/^found {5}customization \d+ rights$/));
    expect(lines).toContain('found     customization source of the custom data "budget" (REF)');
  });

  test('of a new installation, except for the account, which the deployment adds', async () => {
    const settings = { ...settingsOf('own', 'ownCustom'), SERVICE_API_USERNAME: 'records-service' };
    await migrate(settings, 'apply');
    expect((await check(settings)).wrong).toEqual([
      'missing main account records-service (SERVICE_API_USERNAME) in vServiceUsers: add it, or correct the setting',
    ]);
  });
});

const view = (columns: string) =>
  `CREATE OR ALTER VIEW dbo.vServiceUsers AS SELECT ${columns} FROM dbo.tUserSettings u LEFT JOIN dbo.tContacts c ON c.contactID = u.usrPropID`;

const differences: readonly [finding: string, sql: string][] = [
  [
    'missing main table or view vServiceUsers: create this view over the tables of the product',
    'DROP VIEW dbo.vServiceUsers',
  ],
  [
    'missing main column email of vServiceUsers: nvarchar is needed',
    view('u.usrPropID, u.loginName AS account, c.firstName AS name, u.uiLanguage AS langID'),
  ],
  [
    'different main column langID of vServiceUsers: it is nvarchar(2), and int is needed',
    view("u.usrPropID, u.loginName AS account, c.firstName AS name, c.mailAddress AS email, N'en' AS langID"),
  ],
  [
    'missing main account svc-records (SERVICE_API_USERNAME) in vServiceUsers: add it, or correct the setting',
    "UPDATE dbo.tUserSettings SET loginName = 'other' WHERE usrPropID = 9001",
  ],
  [
    'missing main procedure pStructureObjectInfoGet: install it (docs/records-contract.md, "What the databases must have")',
    'DROP PROCEDURE dbo.pStructureObjectInfoGet',
  ],
  [
    'different main procedure pStructureObjectInfoGet: its parameters are @id, and one @propID int is needed',
    'CREATE OR ALTER PROCEDURE dbo.pStructureObjectInfoGet @id int AS SELECT propID, objectID, moduleID, typeID FROM dbo.tObjProperties WHERE propID = @id',
  ],
  [
    'different main procedure pStructureObjectInfoGet: a call failed with SQL error 50123',
    "CREATE OR ALTER PROCEDURE dbo.pStructureObjectInfoGet @propID int AS THROW 50123, N'no', 1",
  ],
  [
    'different main types of objects (OBJECT_TYPES diaries=11,journalized-cases=12,deeds=13,documents=14): no object has one of them; tObjProperties has 21 (1), 31 (1), 32 (1), 33 (1), 34 (2)',
    'UPDATE dbo.tObjProperties SET typeID = typeID + 20',
  ],
  [
    'different main column objectID of tObjProperties: it is bigint, and nvarchar is needed',
    'DROP INDEX IX_ObjProperties_objectID ON dbo.tObjProperties; ALTER TABLE dbo.tObjProperties DROP COLUMN objectID; ALTER TABLE dbo.tObjProperties ADD objectID bigint NULL',
  ],
  ['missing customization table tCustomData: run "npm run migrate"', 'DROP TABLE dbo.tCustomData'],
  [
    'different customization view tCustomData: a table is needed',
    "DROP TABLE dbo.tCustomData; EXEC (N'CREATE VIEW dbo.tCustomData AS SELECT 1 AS propID')",
  ],
  [
    'different customization column customData of tCustomData: it is varchar(max), and nvarchar(max) is needed',
    'ALTER TABLE dbo.tCustomData ALTER COLUMN customData varchar(max) NULL',
  ],
  [
    'different customization column owner of tCustomData: the service does not know it, so it must allow NULL or have a default',
    'DROP TABLE dbo.tCustomData; CREATE TABLE dbo.tCustomData (propID int NOT NULL, customDataIdentifier nvarchar(128) NOT NULL, kind varchar(6) NOT NULL, customData nvarchar(max) NULL, owner int NOT NULL)',
  ],
  [
    'missing customization table tCustomDataVersions: run "npm run migrate"',
    'DROP TABLE dbo.tCustomDataVersions',
  ],
  [
    `different customization rows of tCustomData: the JSON value "tags" of the object 5004 (propID) is NULL (1 in all), and read as null: set customData to N'null'`,
    "UPDATE dbo.tCustomData SET customData = NULL WHERE customDataIdentifier = N'tags' AND propID = 5004",
  ],
  [
    'missing customization source of the custom data "budget" (REF): neither the procedure pCustomData_budget_Get nor the view CustomData_budget exists',
    'DROP PROCEDURE dbo.pCustomData_budget_Get',
  ],
  [
    'different customization procedure pCustomData_budget_Get: its parameters are @propID, and @propID, @usrPropID, @langID are needed',
    'CREATE OR ALTER PROCEDURE dbo.pCustomData_budget_Get @propID int AS SELECT amount FROM dbo.tBudget WHERE caseID = @propID',
  ],
  [
    'different customization view CustomData_budgetSize: it has no column propID',
    'CREATE OR ALTER VIEW dbo.CustomData_budgetSize AS SELECT caseID, amount FROM dbo.tBudget',
  ],
  [
    'different main users of vServiceUsers: the accounts 9002 and 9003 (usrPropID) have one e-mail address, so that neither can sign in',
    "UPDATE dbo.tContacts SET mailAddress = N'ALICE@example.org' WHERE contactID = 9003",
  ],
  [
    'different main identifiers of tObjProperties: the objects 5002 and 5004 (propID) have one objectID, so that only one of them is found',
    "UPDATE dbo.tObjProperties SET objectID = N'C-1' WHERE propID = 5004",
  ],
];

describe('the check names', () => {
  test.each(differences)('%s', async (finding, sql) => {
    const settings = await adoptedSettings();
    await executeSql(settings, finding.includes(' customization ') ? 'customization' : 'main', sql);
    expect(await check(settings)).toMatchObject({ fulfilled: false, wrong: [finding] });
  });

  test('tables of objects that OBJECT_METADATA expects', async () => {
    const settings = { ...(await adoptedSettings()), OBJECT_METADATA: 'diaries' };
    expect((await check(settings)).wrong).toEqual([
      'missing main table tObjectCreations: create it as infra/database/main/150-object-creations.sql does',
      'missing main table tDiaries: leave diaries out of OBJECT_METADATA',
    ]);
  });

  describe('of views of objects', () => {
    async function checkViews(...batches: readonly string[]) {
      const settings = { ...(await adoptedSettings()), ...viewSettings };
      await createObjectViews(settings);
      for (const batch of batches) await executeSql(settings, 'main', batch);
      return check(settings);
    }
    const casesAs = (columns: string) =>
      `CREATE OR ALTER VIEW dbo.vJournalizedCases AS SELECT ${columns} FROM dbo.tSager`;

    test('nothing where they fit, but for values that become texts and numbers', async () => {
      const { wrong, lines } = await checkViews();
      expect(wrong).toEqual([
        'different main column bkStr02 of vJournalizedCases: it is smalldatetime, and nvarchar is needed',
        'different main column bkInt02 of vJournalizedCases: it is varchar(10), and int is needed',
      ]);
      expect(lines.map((line) => line.replace(/ +/g, ' '))).toEqual(
        expect.arrayContaining([
          'found main view vDiaries',
          'found main column parentID of vJournalizedCases',
        ]),
      );
    });

    test.each([
      [
        'missing main view vJournalizedCases: create this view over the tables of the product, or leave journalized-cases=view out of OBJECT_METADATA',
        'DROP VIEW dbo.vJournalizedCases',
      ],
      [
        'missing main column title of vJournalizedCases: nvarchar is needed',
        casesAs('sag AS objectID, journal AS parentID'),
      ],
      [
        'different main column bkFloat02 of vJournalizedCases: it is datetime, and float is needed',
        casesAs('sag AS objectID, emne AS title, oprettet AS bkFloat02'),
      ],
      [
        'different main rows of vJournalizedCases: "C-9" is no objectID of tObjProperties with typeID 12, so that it is listed and cannot be read',
        `${casesAs('sag AS objectID, emne AS title')} UNION ALL SELECT 'C-9', 'Lost'`,
      ],
      [
        'different main rows of vJournalizedCases: "C-1" is the objectID of several rows, of which one is read',
        `${casesAs('sag AS objectID, emne AS title')} UNION ALL SELECT 'C-1', 'Twice'`,
      ],
    ])('%s', async (finding, batch) => {
      expect((await checkViews(batch)).wrong).toEqual([finding]);
    });
  });

  /** Checks databases with a catalog that the local server cannot have. */
  async function checkWith(versionOf: (sql: string) => string): Promise<string[]> {
    const settings = await adoptedSettings();
    const { main, customization } = databasesOf({ ...settings }).within(Date.now() + 30_000);
    const changed: Database = {
      query: (sql, parameters, options) => customization.query(versionOf(sql), parameters, options),
    };
    const findings = await findingsOf({ main, customization: changed }, readConfig(settings));
    return findings
      .filter(({ state }) => state !== 'found')
      .map((finding) => findingLine(finding).replace(/ +/g, ' '));
  }

  test('names in different case in a case-sensitive database', async () => {
    const renamed = (sql: string) =>
      sql
        .replace('SELECT collation_name', "SELECT N'Danish_Norwegian_CS_AS' AS collation_name")
        .replace(
          'o.name AS object',
          "CASE o.name WHEN N'tCustomData' THEN N'TCustomData' ELSE o.name END AS object",
        )
        .replace(' c.name,', " CASE c.name WHEN N'version' THEN N'Version' ELSE c.name END AS name,");
    expect(await checkWith(renamed)).toEqual(
      expect.arrayContaining([
        'different customization table tCustomData: it is called TCustomData, and this database tells names apart by case',
        'different customization column version of tCustomDataVersions: it is called Version, and this database tells names apart by case',
      ]),
    );
  });

  test('a right that the login lacks, on a table and on a source', async () => {
    const settings = await adoptedSettings();
    const server = databasesOf({ ...settings });
    const { main, customization } = server.within(Date.now() + 30_000);
    const restrictedDatabase: Database = {
      query: async (sql, parameters, options) => {
        const isAsked =
          sql.includes('HAS_PERMS_BY_NAME') &&
          [parameters?.['object']?.value, parameters?.['right']?.value].join(' ');
        const refused = ['tCustomData DELETE', 'pCustomData_budget_Set EXECUTE'].includes(String(isAsked));
        return customization.query(refused ? 'SELECT 0 AS allowed' : sql, refused ? {} : parameters, options);
      },
    };
    const findings = await findingsOf({ main, customization: restrictedDatabase }, readConfig(settings));
    expect(findings.filter(({ state }) => state !== 'found').map(findingLine)).toEqual([
      'missing   customization right to DELETE on tCustomData: GRANT DELETE ON dbo.tCustomData TO <user of the app>',
      'missing   customization right to EXECUTE on pCustomData_budget_Set: GRANT EXECUTE ON dbo.pCustomData_budget_Set TO <user of the app>',
    ]);
  });
});
