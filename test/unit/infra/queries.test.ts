/** Every query of operators, analysed by Microsoft's language service against the columns of the tables. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import alerts from '../../../infra/queries/alerts.json' with { type: 'json' };
import workbook from '../../../infra/queries/workbook.json' with { type: 'json' };
import { createAnalyzer } from '../../support/kusto.ts';
import { logTables } from '../../support/log-tables.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const operations = read('infra/queries/operations.kql').trimEnd().split('\n\n');

const tiles = workbook.items.flatMap(({ name, content }) =>
  'query' in content ? [[`the workbook: ${name}`, String(content.query)] as const] : [],
);
const queries = [
  ...alerts.logAlerts.map(({ name, query }) => [`the alert ${name}`, query] as const),
  ...tiles,
  ...operations.map((query) => [`operations: ${query.split('\n', 1)[0]}`, query] as const),
];

const analyze = createAnalyzer(logTables);

describe('the query of', () => {
  test.each(queries)('%s is sound', (_name, query) => {
    expect(analyze(query)).toEqual([]);
  });

  test('a column, function or table that does not exist is found', () => {
    const mistakes = [
      ...['traces | where mesage has "x"', 'traces | extend a = parsejson2(message)', 'tracs'],
      'traces | whre',
    ];
    expect(mistakes.map((query) => analyze(query).length > 0)).toEqual(mistakes.map(() => true));
  });
});

test('the queries ask for events and members that lines of the log have', () => {
  const code = globSync('{shared,functions}/**/*.ts', { cwd: root }).map(read).join('\n');
  const text = queries.map(([, query]) => query).join('\n');
  const named = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))];
  const events = named(/entry\.event == ['"]([\w-]+)/g);
  const members = named(/\bentry\.(\w+)/g);
  expect([events.length, members.length].every((length) => length > 3)).toBe(true);
  expect(events.filter((event) => !code.includes(`event: '${event}'`))).toEqual([]);
  expect(members.filter((member) => !new RegExp(`\\b${member}[,:?]`).test(code))).toEqual([]);
});

test('docs/run.md shows the queries of infra/queries, word for word', () => {
  const blocks = [...read('docs/run.md').matchAll(/^( *)```kusto\n([\s\S]*?)^ *```/gm)];
  const shown = blocks.flatMap(([, indent = '', block = '']) =>
    block
      .trimEnd()
      .replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      .split('\n\n'),
  );
  expect(shown).toEqual(operations);
});

test('each objective has an alert for a fast burn and one for a slow one', () => {
  const burns = alerts.logAlerts.filter(({ name }) => name.includes('-burns-'));
  expect(burns.map(({ name, window }) => [name, window])).toEqual([
    ['availability-burns-fast', 'PT1H'],
    ['availability-burns-slowly', 'PT6H'],
    ['latency-burns-fast', 'PT1H'],
    ['latency-burns-slowly', 'PT6H'],
  ]);
});

test('the queries name only events that the app writes, and parts of their lines', () => {
  const written = [...read('shared/telemetry/log.ts').matchAll(/event: '([\w-]+)'/g)].map(
    ([, event]) => event,
  );
  const named = queries.flatMap(([name, query]) =>
    [...query.matchAll(/entry\.event (?:==|in) \(?((?:["'][\w-]+["'],? ?)+)/g)].flatMap(([, list = '']) =>
      [...list.matchAll(/[\w-]+/g)].map(([event]) => ({ name, event })),
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ event }) => !written.includes(event))).toEqual([]);
});
