/** The local SQL server against Microsoft's own parser, and as Microsoft's clients meet it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseBatch } from '../src/tsql/parser/parser.ts';
import { SqlError } from '../src/tsql/sql-error.ts';
import { startSqlServer } from '../start.ts';
import { closeVerdicts, syntaxErrors, tryStatement, UNSUPPORTED } from '../test/verdicts/verdicts.ts';
import { buildProgram, type DotnetProgram, hasDotnet } from './dotnet.ts';
import { allBatches } from './statements.ts';

let program: DotnetProgram | string = '.NET is not installed';

beforeAll(async () => {
  if (hasDotnet) program = await buildProgram();
  if (typeof program === 'string') console.log(`Skipped: ${program}.`);
});
afterAll(() => {
  if (typeof program !== 'string') program.remove();
  closeVerdicts();
});

test('reads and refuses the statements of this repository as the parser of SQL Server does', async (context) => {
  if (typeof program === 'string') return context.skip(program);
  const folder = mkdtempSync(join(tmpdir(), 'statements-'));
  const batches = allBatches();
  writeFileSync(join(folder, 'statements.json'), JSON.stringify(batches));
  const verdicts = (await program.run('parse', join(folder, 'statements.json'))) as Verdict[];
  rmSync(folder, { recursive: true });
  const differences: string[] = [];
  for (const [index, sql] of batches.entries())
    differences.push(...(await differenceOf(sql, verdicts[index])));
  expect(batches.length).toBeGreaterThan(1000);
  expect(differences).toEqual([]);
});

interface Verdict {
  readonly parses: boolean;
  readonly error: string | null;
}

/** Texts that Microsoft's parser reads and SQL Server refuses: it misses semicolons before WITH and THROW, and empty lists. */
const refusedByTheServer = [
  'CREATE TABLE #empty (CHECK (1 = 1))',
  'SET LOCK_TIMEOUT soon',
  'INSERT INTO dbo.Purchase () VALUES (1)',
  "DECLARE @a int; SET @a = 1 THROW 50001, 'x', 1",
];

/** What is said otherwise here: only a syntax error counts against a text that Microsoft's parser reads, as the server checks more than it. */
async function differenceOf(sql: string, verdict: Verdict | undefined): Promise<string[]> {
  const number = errorOf(sql);
  const isLenient = refusedByTheServer.includes(sql) || number === MISSING_SEMICOLON;
  if (verdict?.parses && syntaxErrors.includes(number ?? 0) && !isLenient) return [`${number} for: ${sql}`];
  if (verdict?.parses || (number !== undefined && number !== UNSUPPORTED)) return [];
  const outcome = await tryStatement(sql);
  if (outcome && outcome.number !== UNSUPPORTED) return [];
  return [`${outcome?.number ?? 'runs'}, but ${verdict?.error}: ${sql}`];
}

const MISSING_SEMICOLON = 319;

function errorOf(sql: string): number | undefined {
  try {
    parseBatch(sql);
    return undefined;
  } catch (error) {
    if (error instanceof SqlError) return error.number;
    throw error;
  }
}

test('serves Microsoft.Data.SqlClient, Dapper and EF Core', async (context) => {
  if (typeof program === 'string') return context.skip(program);
  const password = 'Local-only-1';
  const server = await startSqlServer({ databases: ['engines'], users: { sa: password } });
  const address = `Server=127.0.0.1,${server.port};Database=engines;User ID=sa;Password=${password}`;
  const result = await program
    .run('check', `${address};Encrypt=False;TrustServerCertificate=True`)
    .finally(() => server.stop());
  expect(result).toEqual({ count: expect.any(Number), failures: [] });
});
