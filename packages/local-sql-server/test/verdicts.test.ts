/** Holds this server to what SQL Server's parser says, statement by statement, and the README to the result. */
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

test.each(verdicts.filter(({ refused }) => refused !== undefined))(
  'refuses $sql',
  async ({ sql, refused }) => {
    expect((await tryStatement(sql))?.number).toBe(refused);
  },
);

test.each(verdicts.filter(({ refused }) => refused === undefined))('reads $sql', async ({ sql }) => {
  expect(syntaxErrors).not.toContain((await tryStatement(sql))?.number);
});

test.each(
  verdicts.filter(
    ({ sql, refused }) => refused !== undefined && /^(SELECT|INSERT|UPDATE|DELETE|EXEC)/.test(sql),
  ),
)('refuses a procedure with the body $sql', async ({ sql }) => {
  const outcome = await tryStatement(`CREATE PROCEDURE dbo.pBody AS\n${sql}`);
  expect(outcome?.number).toBeGreaterThan(0);
  expect(outcome?.number).not.toBe(UNSUPPORTED);
});

test('the table of the README is the one that `npm run verdicts` makes', async () => {
  expect(readFileSync(new URL('../README.md', import.meta.url), 'utf8')).toContain(await verdictTable());
});
