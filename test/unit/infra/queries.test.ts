/** The queries of operators name what the log has, and the page for operators shows them. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import alerts from '../../../infra/queries/alerts.json' with { type: 'json' };
import { operations, queries } from '../../support/operator-queries.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

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
