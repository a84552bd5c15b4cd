/** The queries of operators name what the log has, and the page for operators shows them. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { queries } from '../../support/operator-queries.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('the queries ask for members that lines of the log have', () => {
  const code = globSync('{shared,functions}/**/*.ts', { cwd: root }).map(read).join('\n');
  const text = queries.map(([, query]) => query).join('\n');
  const members = [...text.matchAll(/\bentry\.(\w+)/g)].map(([, name = '']) => name);
  expect(members.length).toBeGreaterThan(3);
  expect(members.filter((member) => !new RegExp(`\\b${member}[,:?]`).test(code))).toEqual([]);
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
