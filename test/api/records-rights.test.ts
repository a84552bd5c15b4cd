/** The records API with the rights that a deployment gives, and with one of them missing: the replies, and health. */

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { recordsDependency } from '../../functions/records/endpoints/health.ts';
import { createRecordsService } from '../../functions/records/endpoints/records-api.ts';
import { checkContract } from '../../scripts/contract/check.ts';
import { readConfig } from '../../shared/config.ts';
import { healthOf } from '../../shared/http/health.ts';
import { useApp } from '../support/app.ts';
import { appLogin, databasesOf } from '../support/database-settings.ts';
import { executeSql } from '../support/execute-sql.ts';
import { recordsAs } from '../support/records.ts';

const app = useApp({ databases: 'app-rights' });
const alice = recordsAs(app, 'alice@example.org');
const contract = '/v8.0/documents/document-contract/custom-data';
const letter = '/v8.0/documents/document-letter/custom-data';

type DatabaseKind = 'main' | 'customization';

/** Denies the app a right while `work` runs. */
async function without<Result>(database: DatabaseKind, right: string, work: () => Promise<Result>) {
  const change = (action: string) => executeSql(app.stack.settings, database, action);
  await change(`DENY ${right} TO [${appLogin.user}]`);
  try {
    return await work();
  } finally {
    await change(`REVOKE ${right} FROM [${appLogin.user}]`);
  }
}

/** Returns the lines of the contract check that are not "found". */
async function contractCheck(): Promise<string[]> {
  const lines: string[] = [];
  await checkContract(app.stack.settings, (line) => lines.push(line)).catch((error: Error) => {
    if (!error.message.startsWith('The databases are not what the service needs')) throw error;
  });
  return lines.filter((line) => /^(missing|different)/.test(line)).map((line) => line.replace(/ +/g, ' '));
}

/** Returns what health says of the databases in a process that has just started. `records-bindings.test.ts` asks one of an app. */
async function stateOfDatabases() {
  const { settings } = app.stack;
  const service = createRecordsService(readConfig(settings), databasesOf(settings), 1);
  return (await healthOf([recordsDependency(service)])())['database'];
}

describe('with the rights of a deployment', () => {
  test('health is ready, and the contract is fulfilled', async () => {
    // A busy machine is no failure: a dependency that was slow to answer is asked again.
    await expect
      .poll(async () => (await app.call('GET', '/health')).json)
      .toMatchObject({ ready: true, dependencies: { database: { state: 'ready' } } });
    expect(await contractCheck()).toEqual([]);
  });

  test('the app cannot write who is who, nor define anything', async () => {
    const asApp = (sql: string) =>
      executeSql({ ...app.stack.settings }, 'main', `EXECUTE AS USER = '${appLogin.user}'; ${sql}`);
    for (const [sql, number] of [
      ["UPDATE dbo.tPersons SET email = N'x'", 229],
      ['DELETE FROM dbo.tUserSettings', 229],
      ["INSERT INTO dbo.tSchemaJournal (script, digest, position) VALUES (N'x', N'x', 1)", 229],
      ['CREATE TABLE dbo.tX (a int NOT NULL)', 262],
      ['DROP TABLE dbo.tDiaries', 3701],
      [`ALTER ROLE db_owner ADD MEMBER [${appLogin.user}]`, 15_151],
    ] as const)
      await expect(asApp(sql)).rejects.toMatchObject({ number });
  });
});

const missing: [right: string, database: DatabaseKind, method: string, path: string, body: unknown][] = [
  ['SELECT ON dbo.tCustomData', 'customization', 'GET', contract, undefined],
  [
    'INSERT ON dbo.tCustomData',
    'customization',
    'PUT',
    letter,
    { a: 1, invoice: { number: '1', amount: 1, dueDate: null, paid: false } },
  ],
  ['UPDATE ON dbo.tCustomDataVersions', 'customization', 'PUT', letter, { a: 1 }],
  ['SELECT ON dbo.tFieldLabels', 'customization', 'GET', '/v7/documents/fields', undefined],
  [
    'EXECUTE ON dbo.pStructureObjectInfoGet',
    'main',
    'GET',
    '/v7/documents/document-large/custom-data',
    undefined,
  ],
  ['INSERT ON dbo.tObjProperties', 'main', 'POST', '/v8.0/diaries', { title: 'x', year: 2030 }],
  ['SELECT ON dbo.tObjectCreations', 'main', 'POST', '/v8.0/diaries', { title: 'x', year: 2030 }],
  ['INSERT ON dbo.tObjectCreations', 'main', 'POST', '/v8.0/diaries', { title: 'x', year: 2030 }],
  ['UPDATE ON dbo.tDocuments', 'main', 'PATCH', '/v8.0/documents/document-letter', { title: 'x' }],
];

describe('with one right missing', () => {
  test.each(missing)('%s', async (right, database, method, path, body) => {
    await without(database, right, async () => {
      const headers = { 'Idempotency-Key': randomUUID() };
      const init = body === undefined ? {} : { body, ...(method === 'POST' ? { headers } : {}) };
      const [words = '', object = ''] = right.split(' ON dbo.');
      const detail = `Cannot use the database: the right to ${words} ${object} is missing.`;
      const expected = { code: 'database-contract', detail };
      expect((await alice(method, path, init)).json).toMatchObject({ status: 500, ...expected });
      expect(await stateOfDatabases()).toMatchObject({ state: 'failing', ...expected });
      expect(await contractCheck()).toContain(
        `missing ${database} right to ${words} on ${object}: GRANT ${words} ON dbo.${object} TO <user of the app>`,
      );
    });
    const again = await alice(method, path, body === undefined ? {} : { body });
    expect(again.status).toBeLessThan(300);
  });

  test('SELECT on vServiceUsers', async () => {
    await without('main', 'SELECT ON dbo.vServiceUsers', async () => {
      await expect
        .poll(async () => (await alice('GET', '/v8.0/authorized')).json, { interval: 250 })
        .toMatchObject({
          status: 500,
          code: 'database-contract',
          detail: 'Cannot use the database: the right to SELECT vServiceUsers is missing.',
        });
      expect(await contractCheck()).toContain(
        'missing main right to SELECT on vServiceUsers: GRANT SELECT ON dbo.vServiceUsers TO <user of the app>',
      );
    });
    await expect
      .poll(async () => (await alice('GET', '/v8.0/authorized')).status, { interval: 250 })
      .toBe(200);
  });
});

describe('a source without its right', () => {
  const grant = (right: string) =>
    executeSql(app.stack.settings, 'customization', `GRANT ${right} TO [${appLogin.user}]`);

  test('is missing, since the server does not show it', async () => {
    await without('customization', 'EXECUTE ON dbo.pCustomData_invoice_Get', async () => {
      expect((await alice('GET', contract)).json).toMatchObject({
        status: 500,
        code: 'custom-data-source-missing',
        hint: expect.stringContaining('give the user of the service the right to it'),
      });
      expect(await contractCheck()).toEqual([
        'missing customization source of the custom data "invoice" (REF): neither the procedure pCustomData_invoice_Get nor the view CustomData_invoice exists, or this login has no right to it: GRANT EXECUTE ON dbo.pCustomData_invoice_Get TO <user of the app>',
      ]);
    });
    await without('customization', 'SELECT ON dbo.RefData_priorities', async () => {
      expect((await alice('GET', '/v7/reference-data/custom/priorities')).status).toBe(404);
    });
  });

  test('names the right, where it is shown', async () => {
    for (const [object, right] of [
      ['pCustomData_invoice_Get', 'EXECUTE'],
      ['pCustomData_invoice_Set', 'EXECUTE'],
      ['CustomData_parcels', 'SELECT'],
      ['RefData_priorities', 'SELECT'],
    ]) {
      await grant(`VIEW DEFINITION ON dbo.${object}`);
      await without('customization', `${right} ON dbo.${object}`, async () => {
        const invoice = { number: '2', amount: 2, dueDate: null, paid: false };
        const reply = object?.startsWith('Ref')
          ? await alice('GET', '/v7/reference-data/custom/priorities')
          : object?.endsWith('_Set')
            ? await alice('PUT', letter, { body: { invoice } })
            : await alice('GET', contract);
        expect(reply.json).toMatchObject({
          status: 500,
          code: expect.stringMatching(/^(custom|reference)-data-source-failed$/),
          detail: expect.stringContaining(`the right to ${right} ${object} is missing.`),
        });
        expect(await contractCheck()).toEqual([
          `missing customization right to ${right} on ${object}: GRANT ${right} ON dbo.${object} TO <user of the app>`,
        ]);
      });
    }
  });
});
