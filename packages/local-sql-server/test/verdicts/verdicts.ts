/** Tries the statements of `statements.sql.txt` here, and makes the table of INSIDE.md of what comes of them. */
import { readFileSync } from 'node:fs';
import { openEngine } from '../../src/engine/engine.ts';
import type { Engine, Session } from '../../src/engine/session.ts';

/** One line of the data file: what SQL Server's parser says about a statement. */
export interface Verdict {
  readonly area: string;
  readonly sql: string;
  /** The number of SQL Server's error; undefined where its parser accepts the text. */
  readonly refused: number | undefined;
}

/** What this server does with a statement: the number and text of its first error, if there is one. */
export interface Outcome {
  readonly number: number;
  readonly message: string;
}

export const UNSUPPORTED = 40517;

/** Errors that say that a text is no T-SQL. */
export const syntaxErrors = [102, 105, 111, 113, 117, 156, 319, 4145];
const folder = new URL('./', import.meta.url);

export function readVerdicts(): Verdict[] {
  return readFileSync(new URL('statements.sql.txt', folder), 'utf8')
    .split(/^## /m)
    .slice(1)
    .flatMap((part) => {
      const [area = '', ...lines] = part.split('\n');
      return lines.filter((line) => line.includes(' | ')).map((line) => verdictOf(area, line));
    });
}

function verdictOf(area: string, line: string): Verdict {
  const [, number, sql] = /^(?:accepts|refuses (\d+)) \| (.*)$/.exec(line) ?? [];
  if (sql === undefined) throw new TypeError(`Cannot read the verdict "${line}"`);
  return {
    area,
    sql: sql.replaceAll('\\n', '\n'),
    refused: number === undefined ? undefined : Number(number),
  };
}

const outcomes = new Map<string, Promise<Outcome | undefined>>();

/** Tries a statement in a new database, once; `undefined` when it runs without an error. */
export function tryStatement(sql: string): Promise<Outcome | undefined> {
  const outcome = outcomes.get(sql) ?? tried(sql);
  outcomes.set(sql, outcome);
  return outcome;
}

/** Texts that begin as queries do, without a word of what changes a database. */
const query =
  /^\(?(?:SELECT|WITH|DECLARE)\b(?![\s\S]*\b(?:ALTER|CREATE|DELETE|DENY|DROP|GRANT|INSERT|INTO|MERGE|REVOKE|TRUNCATE|UPDATE|EXEC\w*)\b)/i;

/** Texts of one statement, which takes a whole batch. */
const wholeBatch = /^CREATE (?:PROC|PROCEDURE|VIEW|FUNCTION)\b/;

/** Whether a text leaves databases as they were: a query, or what is refused as a whole, but for what EXEC runs before. */
function leavesAll(sql: string, outcome: Outcome | undefined): boolean {
  if (query.test(sql) || (outcome && wholeBatch.test(sql))) return true;
  const isRefusedWhole = [...syntaxErrors, UNSUPPORTED].includes(outcome?.number ?? 0);
  return isRefusedWhole && !/\bEXEC/i.test(sql);
}

/** An engine whose databases no text has changed yet. */
let unchanged: Engine | undefined;

async function tried(sql: string): Promise<Outcome | undefined> {
  const engine = unchanged ?? (await preparedEngine());
  unchanged = undefined;
  const session = openSession(engine);
  const outcome = await firstError(session, sql);
  session.close();
  if (leavesAll(sql, outcome)) unchanged = engine;
  else engine.close();
  return outcome;
}

async function preparedEngine(): Promise<Engine> {
  const engine = openEngine({ folder: undefined, databases: ['verdicts'] });
  const session = openSession(engine);
  for (const batch of readFileSync(new URL('setup.sql.txt', folder), 'utf8').split(/^GO$/m)) {
    const failed = await firstError(session, batch);
    if (failed) throw new Error(failed.message);
  }
  session.close();
  return engine;
}

const openSession = (engine: Engine): Session =>
  engine.openSession({ user: 'sa', database: 'verdicts', application: 'verdicts' });

/** Closes what waits for more statements. */
export function closeVerdicts(): void {
  unchanged?.close();
  unchanged = undefined;
}

async function firstError(session: Session, sql: string): Promise<Outcome | undefined> {
  let first: Outcome | undefined;
  for await (const event of session.batch(sql))
    if (event.kind === 'message' && event.message.class > 10) first ??= event.message;
  return first;
}

/** The table of INSIDE.md: by area, how many statements are refused as SQL Server does, run, and are not supported (and why). */
export async function verdictTable(): Promise<string> {
  const rows = new Map<string, { refuses: number; runs: number; unsupported: string[] }>();
  for (const { area, sql } of readVerdicts()) {
    const row = rows.get(area) ?? { refuses: 0, runs: 0, unsupported: [] };
    rows.set(area, row);
    const outcome = await tryStatement(sql);
    if (outcome === undefined) row.runs++;
    else if (outcome.number === UNSUPPORTED) row.unsupported.push(constructOf(outcome.message));
    else row.refuses++;
  }
  const lines = [...rows].map(([area, { refuses, runs, unsupported }]) => {
    const constructs = [...new Set(unsupported)].map((name) => `\`${name.replaceAll('|', '\\|')}\``);
    return `| ${area} | ${refuses} | ${runs} | ${unsupported.length}: ${constructs.join(', ')} |`;
  });
  return ['| | Refuses | Runs | Not supported (40517) |', '|---|---|---|---|', ...lines].join('\n');
}

function constructOf(message: string): string {
  return /^'(.*)' is not supported/.exec(message)?.[1] ?? message;
}
