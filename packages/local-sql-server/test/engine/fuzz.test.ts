/** Random statements against the engine. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyText, fc, numRuns } from '../../../../test/support/properties.ts';
import { openEngine } from '../../src/engine/engine.ts';
import { run } from './run.ts';

const folder = new URL('../corpus/', import.meta.url);
const corpus = readdirSync(folder).flatMap((file) =>
  readFileSync(new URL(file, folder), 'utf8')
    .split('\n')
    .filter((line) => line && !/^(##|#|-->|GO$)/.test(line)),
);
// Loops and waits would be right to take their time.
const statements = corpus.filter((line) => !/WHILE|WAITFOR|MAXRECURSION/.test(line));
const words = [...new Set(statements.join(' ').match(/[\p{L}_@#$]+|\d+|'[^']*'|[^\s\p{L}\d]/gu) ?? [])];

const engine = openEngine({ folder: undefined, databases: ['corpus'] });
const open = () => engine.openSession({ user: 'sa', database: 'corpus', application: 'fuzz' });
beforeAll(async () => {
  const session = open();
  for (const line of statements.filter((statement) => /^CREATE (TABLE|VIEW|PROC)/.test(statement)))
    await run(session, line);
  session.close();
});
afterAll(() => engine.close());

/** A request that ends, with rows or with errors of SQL, leaves a session that still works. */
async function staysWhole(sql: string): Promise<void> {
  const session = open();
  try {
    await run(session, sql);
    expect(await run(session, 'WHILE @@TRANCOUNT > 0 ROLLBACK; SELECT 1')).toEqual([[1]]);
  } finally {
    session.close();
  }
}

test('any text is answered with rows or errors of SQL', async () => {
  await fc.assert(fc.asyncProperty(anyText({ maxLength: 60 }), staysWhole), numRuns(100));
});

test('any words of T-SQL are answered with rows or errors of SQL', async () => {
  const text = fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((parts) => parts.join(' '));
  await fc.assert(fc.asyncProperty(text, staysWhole), numRuns(300));
});

test('statements that lost, doubled or exchanged a word are answered with rows or errors of SQL', async () => {
  const change = fc.record({
    at: fc.nat(40),
    kind: fc.constantFrom('drop', 'double', 'replace'),
    word: fc.constantFrom(...words),
  });
  const text = fc
    .tuple(fc.constantFrom(...statements), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([statement, changes]) => {
      const parts = statement.match(/'[^']*'|[\p{L}\d_@#$]+|\s+|./gu) ?? [];
      for (const { at, kind, word } of changes) {
        const place = at % Math.max(parts.length, 1);
        if (kind === 'drop') parts.splice(place, 1);
        if (kind === 'double') parts.splice(place, 0, parts[place] ?? '');
        if (kind === 'replace') parts[place] = word;
      }
      return parts.join('');
    });
  await fc.assert(fc.asyncProperty(text, staysWhole), numRuns(500));
});

test.each([
  ['parentheses', '('.repeat(5_000)],
  ['additions', `SELECT ${'1+'.repeat(3_000)}1`],
  ['NOTs', `SELECT 1 WHERE ${'NOT '.repeat(3_000)}1=1`],
  ['BEGINs', 'BEGIN '.repeat(3_000)],
  ['CASEs', `SELECT ${'CASE WHEN 1=1 THEN '.repeat(500)}1${' END'.repeat(500)}`],
  ['unions', `SELECT 1${' UNION ALL SELECT 1'.repeat(1_500)}`],
])('very many %s are answered', async (_, sql) => {
  await staysWhole(sql);
});
