/** A plan as a page of text: a section for each resource, a line for each value, in an order that does not change. */

import roleFacts from '../../facts/roles.json' with { type: 'json' };
import { type Lines, linesOf } from './lines.ts';
import type { Plan } from './plan.ts';
import { sets } from './sets.ts';

const environments = [...new Set(Object.values(sets).map(({ environment }) => environment))].join('|');
const hash = '[0-9a-f]{13}';

/** A text without what differs between environments in each name, and with roles by their names. */
function plain(text: string): string {
  const named = Object.entries(roleFacts.roles).reduce((all, [name, id]) => all.replaceAll(id, name), text);
  return named
    .replaceAll(new RegExp(`-(?:${environments})-${hash}`, 'g'), '')
    .replaceAll(new RegExp(`(?<=sthost|stdata|stcal|stbackup)${hash}`, 'g'), '')
    .replaceAll(/~\/providers\/Microsoft\./g, '')
    .replaceAll(/role \^?\/?providers\/Microsoft\.Authorization\/roleDefinitions\//g, '');
}

/** The lines of a page. What `drift` compares, the output APP_CONFIGURATION, stands with the apps. */
export const pageOf = (plan: Plan): Lines =>
  new Map(
    [...linesOf(plan)]
      .filter(([name]) => !name.startsWith('output: APP_CONFIGURATION.'))
      .map(([name, value]) => [plain(name), plain(value)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

const split = (name: string): [section: string, path: string] => {
  const at = name.lastIndexOf(': ');
  return [name.slice(0, at), name.slice(at + 2)];
};

/** Lines as a page. */
export function written(lines: Lines): string {
  const sections = Map.groupBy(lines, ([name]) => split(name)[0]);
  return [...sections]
    .map(([section, values]) =>
      [section, ...values.map(([name, value]) => `  ${split(name)[1]} = ${value}`)].join('\n'),
    )
    .join('\n\n')
    .concat('\n');
}

/** The lines of a page that was written. */
export function readPage(text: string): Lines {
  let section = '';
  return new Map(
    text.split('\n').flatMap((line) => {
      if (!line.startsWith('  ')) section = line;
      const at = line.indexOf(' = ');
      return line.startsWith('  ') ? [[`${section}: ${line.slice(2, at)}`, line.slice(at + 3)] as const] : [];
    }),
  );
}

/** What a page has otherwise than that of its profile, with `(none)` for what it lacks. */
export const besides = (base: Lines, lines: Lines): Lines =>
  new Map(
    [...new Set([...base.keys(), ...lines.keys()])]
      .sort()
      .filter((name) => base.get(name) !== lines.get(name))
      .map((name) => [name, lines.get(name) ?? '(none)']),
  );
