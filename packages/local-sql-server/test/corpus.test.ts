/** Runs the corpus. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openEngine } from '../src/engine/engine.ts';
import type { Engine, Event, Session, SqlValue } from '../src/engine/session.ts';
import { FormOfValues } from './engine/form-of-values.ts';

/**
 * Runs the corpus. Each file is a part of the specification of the T-SQL subset. Its form is:
 *
 *   ## What the case shows, in a sentence
 *   statements (batches are separated by GO)
 *   --> a row: values with | between them          --> error 8134
 *   --> 3 rows affected (only where a case says so) --> print: text
 *
 * A file has one database, of the collation that its first line may name (`# collation Danish_Norwegian_CI_AS`); what a case makes
 * there must not disturb the next one.
 */
const folder = new URL('./corpus/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.sql.txt'));

interface Case {
  readonly title: string;
  readonly batches: readonly string[];
  readonly expected: readonly string[];
}

test.each(files)('%s', async (file) => {
  const text = readFileSync(new URL(file, folder), 'utf8');
  const engine = openEngine({ folder: undefined, databases: [] });
  onTestFinished(() => engine.close());
  await createDatabase(engine, /^# collation (\w+)$/m.exec(text)?.[1]);
  const cases = casesOf(text);
  const found: Record<string, readonly string[]> = {};
  for (const { title, batches, expected } of cases) {
    const session = engine.openSession({ user: 'sa', database: 'corpus', application: 'corpus' });
    found[title] = await outcome(session, batches, expected);
    session.close();
  }
  expect(found).toEqual(Object.fromEntries(cases.map(({ title, expected }) => [title, expected])));
  expect(Object.keys(found)).toHaveLength(cases.length);
});

async function createDatabase(engine: Engine, collation: string | undefined): Promise<void> {
  const master = engine.openSession({ user: 'sa', database: 'master', application: 'corpus' });
  const collate = collation === undefined ? '' : ` COLLATE ${collation}`;
  expect(await outcome(master, [`CREATE DATABASE corpus${collate}`], [])).toEqual([]);
  master.close();
}

test('the corpus has at least 300 cases', () => {
  const counts = files.map((file) => casesOf(readFileSync(new URL(file, folder), 'utf8')).length);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(300);
});

function casesOf(text: string): Case[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.trimEnd().split('\n');
      const isExpected = (line: string): boolean => line.startsWith('-->');
      const sql = lines.filter((line) => !isExpected(line)).join('\n');
      const expected = lines.filter(isExpected).map((line) => line.slice(3).trim());
      return { title, batches: sql.split(/^GO$/m), expected };
    });
}

async function outcome(
  session: Session,
  batches: readonly string[],
  expected: readonly string[],
): Promise<string[]> {
  const lines: string[] = [];
  const form = new FormOfValues();
  const showsCounts = expected.some((line) => line.endsWith('rows affected'));
  for (const batch of batches)
    for await (const event of session.batch(batch)) {
      form.see(event);
      lines.push(...lineOf(event, showsCounts));
    }
  return [...lines, ...form.problems];
}

function lineOf(event: Event, showsCounts: boolean): string[] {
  if (event.kind === 'row') return [event.values.map(shown).join(' | ')];
  if (event.kind === 'statementDone' && showsCounts && event.count !== undefined)
    return [`${event.count} rows affected`];
  if (event.kind !== 'message') return [];
  const { class: severity, number, message } = event.message;
  if (severity > 10) return [`error ${number}`];
  return number === 0 || number === 50_000 ? [`print: ${message}`.trimEnd()] : [];
}

function shown(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (value === '') return "''";
  return value instanceof Uint8Array
    ? `0x${Buffer.from(value).toString('hex').toUpperCase()}`
    : String(value).replaceAll('\n', '\\n');
}
