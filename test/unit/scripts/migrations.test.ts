import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSqlServer } from 'local-sql-server';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { applyScripts, batches } from '../../../scripts/migrations.ts';
import { rowsOf } from '../../../shared/sql/values.ts';
import { databasesOf, settingsForPort } from '../../support/database-settings.ts';
import { containsStatement, startTcpProxy } from '../../support/tcp-proxy.ts';

test.each([
  ['one batch without GO', 'SELECT 1', [{ line: 1, text: 'SELECT 1' }]],
  [
    'batches at each GO, in any case and with spaces',
    'SELECT 1\nGO\nSELECT 2\n  go  \n',
    [
      { line: 1, text: 'SELECT 1' },
      { line: 3, text: 'SELECT 2' },
    ],
  ],
  [
    'Windows line ends',
    'SELECT 1\r\nGO\r\nSELECT 2',
    [
      { line: 1, text: 'SELECT 1' },
      { line: 3, text: 'SELECT 2' },
    ],
  ],
  [
    'GO inside a line as text',
    "SELECT 'GO'\n-- GO on\nGOTO x",
    [{ line: 1, text: "SELECT 'GO'\n-- GO on\nGOTO x" }],
  ],
  ['nothing but comments', '-- only this\nGO\n\n', []],
])('batches() finds %s', (_, script, expected) => {
  expect(batches(script)).toEqual(expected);
});

const login = { user: 'sa', password: 'Local-only-1' };
const server = await startSqlServer({
  databases: ['records', 'customization'],
  users: { [login.user]: login.password },
});
const proxy = await startTcpProxy(server.port);
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await server.stop();
});
beforeEach(() => {
  proxy.onRequest = undefined;
  proxy.onReply = undefined;
});

/** A folder with one script for the main database. `apply` returns what is done with it, or the error. */
function folderOf(content: string) {
  const folder = mkdtempSync(join(tmpdir(), 'scripts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'main'));
  const write = (text: string) => writeFileSync(join(folder, 'main', '1.sql'), text);
  write(content);
  const databases = databasesOf(settingsForPort(proxy.port, login)).within(Date.now() + 30_000);
  const count = async (table: string) =>
    rowsOf((await databases.main.query(`SELECT COUNT(*) AS n FROM dbo.${table}`))[0])[0]?.['n'];
  async function apply() {
    const actions: string[] = [];
    await applyScripts(databases, folder, (_, action) => actions.push(action));
    return actions;
  }
  return { write, apply, count };
}

describe('applyScripts()', () => {
  test.each([
    ['line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
  ])('does not count %s as a change', async (_, changed) => {
    const script = 'SELECT 1 AS one\nGO\nSELECT 2 AS two\n';
    for (const [first, second] of [
      [script, changed(script)],
      [changed(script), script],
    ] as const) {
      const { write, apply } = folderOf(first);
      expect(await apply()).toEqual(['apply']);
      write(second);
      expect(await apply()).toEqual(['skip']);
      write(`${second} `);
      expect(await apply()).toEqual(['apply']);
    }
  });

  test('does not send a batch again whose answer was lost', async () => {
    const { apply, count } = folderOf(
      'CREATE TABLE dbo.tOnce (a int NOT NULL)\nGO\nINSERT INTO dbo.tOnce (a) VALUES (1)\nGO',
    );
    proxy.onRequest = (sent) => {
      if (!containsStatement(sent, 'INSERT INTO dbo.tOnce')) return 'pass';
      proxy.onRequest = undefined;
      proxy.onReply = () => {
        proxy.onReply = undefined;
        return 'cut';
      };
      return 'pass';
    };
    await expect(apply()).rejects.toMatchObject({
      message: expect.stringMatching(/1\.sql: the batch that starts in line 3 failed$/),
      cause: { code: 'outcome-unknown' },
    });
    expect(await count('tOnce')).toBe(1);
  });
});
