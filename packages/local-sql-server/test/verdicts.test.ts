/** Holds this server to what SQL Server's parser says, statement by statement, and INSIDE.md to the result. */
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import {
  closeVerdicts,
  readVerdicts,
  syntaxErrors,
  tryStatement,
  UNSUPPORTED,
  verdictTable,
} from './verdicts/verdicts.ts';

const verdicts = readVerdicts();
afterAll(closeVerdicts);

test('refuses with the errors of SQL Server what its parser refuses', async () => {
  const refused = verdicts.filter(({ refused }) => refused !== undefined);
  const found = await Promise.all(
    refused.map(async (verdict) => ({ ...verdict, refused: (await tryStatement(verdict.sql))?.number })),
  );
  expect(refused.length).toBeGreaterThan(100);
  expect(found).toEqual(refused);
});

test('reads what the parser of SQL Server reads', async () => {
  const accepted = verdicts.filter(({ refused }) => refused === undefined);
  const numbers = await Promise.all(accepted.map(async ({ sql }) => (await tryStatement(sql))?.number ?? 0));
  expect(accepted.length).toBeGreaterThan(100);
  expect(accepted.filter((_, index) => syntaxErrors.includes(numbers[index] ?? 0))).toEqual([]);
});

test('refuses a procedure with a body that is refused', async () => {
  const bodies = verdicts.filter(
    ({ sql, refused }) => refused !== undefined && /^(SELECT|INSERT|UPDATE|DELETE|EXEC)/.test(sql),
  );
  const numbers = await Promise.all(
    bodies.map(async ({ sql }) => (await tryStatement(`CREATE PROCEDURE dbo.pBody AS\n${sql}`))?.number ?? 0),
  );
  expect(bodies.length).toBeGreaterThan(10);
  expect(bodies.filter((_, index) => [0, UNSUPPORTED].includes(numbers[index] ?? 0))).toEqual([]);
});

test('the table of INSIDE.md is the one that `npm run verdicts` makes', async () => {
  expect(readFileSync(new URL('../INSIDE.md', import.meta.url), 'utf8')).toContain(await verdictTable());
});
