/** The rows that a user asks for: which of all that was measured answers each question, and what it means. They are the page docs/benchmarks.md. */

import type { BenchmarkRow } from './benchmark.ts';
import { largeCalendar } from './pace.ts';

export interface Question {
  readonly asks: string;
  /** What the figure means to who runs or calls the service. */
  readonly means: string;
  /** Returns the rows that answer it, of all that were measured; none where it was not measured. */
  readonly answer: (rows: readonly BenchmarkRow[]) => readonly BenchmarkRow[];
}

const large = largeCalendar.toLocaleString('en');

export const questions: readonly Question[] = [
  {
    asks: 'What does custom data cost?',
    means: 'The part of what the driver alone could answer that is left with tokens, rights, logs and JSON.',
    answer: named(/^custom data GET/),
  },
  {
    asks: 'And of many objects at once?',
    means: 'A report over 1,000 objects costs one statement, not 1,000 calls.',
    answer: named(/^custom data of \S+ objects, one identifier/),
  },
  {
    asks: 'How fast is the list that everybody asks for?',
    means: 'The list that pages and widgets ask for again and again is served from memory, like a file.',
    answer: named(/^event list, default query/),
  },
  {
    asks: 'And the dearest list or search, in a calendar of 100,000 events?',
    means: 'One processor answers this many different questions: 1,000 divided by the figure, in a second.',
    answer: (rows) => dearest(rows.filter(isFreshQuestion)),
  },
  {
    asks: 'What does a stranger cost?',
    means: 'A call with a bad token asks neither the database nor the identity provider.',
    answer: named(/^GET refused for a bad token/),
  },
  {
    asks: 'Do the limits hinder honest callers?',
    means:
      'The scene in which the limits cost most, of 1 to 300 connections that list, search and read custom data.',
    answer: (rows) => lowestRatio(rows.filter(({ target }) => target === 'at least 0.9, 0 refused')),
  },
  {
    asks: 'What does somebody signed in notice of an attack?',
    means:
      'The attack that a reader who is signed in notices most: the median of the waiting, against that before.',
    answer: (rows) =>
      highestRatio(rows.filter(({ name }) => /^clerk during .* from \d+ connections$/.test(name))),
  },
  {
    asks: 'How long does the app take to start?',
    means: 'What the platform waits beside the start of Node before it sends the first call.',
    answer: named(/^load of the built app/),
  },
  {
    asks: 'How long does the first caller of a new instance wait?',
    means:
      'A new instance starts, and reads the whole calendar before its first reply: that of a town, with 10,000 events, from a snapshot.',
    answer: named(/^first reply of a new instance, .* 10,000 events/),
  },
  {
    asks: 'What do many instances cost the storage?',
    means: 'The part of what Azure publishes for a partition that 100 busy instances use.',
    answer: named(/^requests to a partition of 100 busy instances/),
  },
  {
    asks: 'How much memory does it take?',
    means: 'An instance of this size holds a calendar of 100,000 events, whatever is asked for.',
    answer: named(new RegExp(`^peak memory after .* ${large} events`)),
  },
  {
    asks: 'What does telemetry cost?',
    means: 'Every span sent to a collector; by default a tenth is.',
    answer: named(/^telemetry: everything sampled/),
  },
];

function named(pattern: RegExp): Question['answer'] {
  return (rows) => rows.filter(({ name }) => pattern.test(name));
}

/** Lists and searches that are not kept; feeds are no lists. */
function isFreshQuestion({ name, unit }: BenchmarkRow): boolean {
  return unit === 'ms of CPU' && /^a (list|search)/.test(name) && name.endsWith(`, ${large} events`);
}

const best = (rows: readonly BenchmarkRow[], rank: (row: BenchmarkRow) => number) =>
  rows.toSorted((one, other) => rank(other) - rank(one)).slice(0, 1);

const dearest = (rows: readonly BenchmarkRow[]) => best(rows, ({ value }) => value);
const lowestRatio = (rows: readonly BenchmarkRow[]) => best(rows, ({ ratio = 1 }) => -ratio);
const highestRatio = (rows: readonly BenchmarkRow[]) => best(rows, ({ ratio = 1 }) => ratio);

const heads = ['Question', 'Measured', 'Against', 'Ratio', 'Target', 'What it means', 'When'];

/** Returns the page with the answers that were measured in place of those that it has; `when` names the run. */
export function pageWith(page: string, rows: readonly BenchmarkRow[], when: string): string {
  const before = new Map(
    page.split('\n').flatMap((line) => (line.startsWith('| ') ? [[line.split(' | ')[0], line]] : [])),
  );
  const measured = rows.filter(({ failure }) => failure === undefined);
  const lines = questions.flatMap(({ asks, means, answer }) => {
    const found = answer(measured).map(
      (row) => `| ${[asks, ...cellsOf(row).slice(1, 5), means, when].join(' | ')} |`,
    );
    return found.length > 0 ? found : (before.get(`| ${asks}`) ?? []);
  });
  const table = [`| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...lines].join('\n');
  if (!/^\| Question /m.test(page)) throw new Error('Cannot write the table: the page has none.');
  return page.replace(/^\| Question .*\n(?:\|.*\n)*/m, `${table}\n`);
}

/** Returns the cells of a row: what, measured, against, ratio, target, besides. */
export function cellsOf(row: BenchmarkRow): string[] {
  const { name, value, unit, against, ratio, target, details, failure } = row;
  return [
    name,
    failure === undefined ? `${round(value)} ${unit}` : 'FAILED',
    against === undefined ? '' : `${against.name}: ${round(against.value)}`,
    ratio === undefined ? '' : ratio.toFixed(2),
    target ?? '',
    [failure, details].filter((text) => text !== undefined).join(' '),
  ];
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
