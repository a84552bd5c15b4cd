/** A plan as lines of text, `resource: path = value`, so that two can be compared and read. */

import { createHash } from 'node:crypto';
import type { Data } from './data.ts';
import type { Plan } from './plan.ts';

/** Lines by what stands before the `=`. */
export type Lines = ReadonlyMap<string, string>;

/** The lines of a plan. */
export const linesOf = (plan: Plan): Lines => new Map(pairsOf(plan));

function* pairsOf({ resources, outputs }: Plan): Generator<[string, string]> {
  for (const { id, type, body } of resources) {
    const name = shortened(id);
    if (type !== '') yield [`${name}: type`, type];
    for (const [path, value] of leaves(body)) yield [`${name}: ${path}`, value];
  }
  for (const [path, value] of leaves(outputs)) yield [`output: ${path}`, value];
}

/** Every literal of a value with its path; elements of a list go by their name where they have one. */
export function* leaves(value: Data, path = ''): Generator<[string, string]> {
  const under = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* element(item, under, index);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) yield* leaves(inner, under(name));
  } else yield [path, shown(value)];
}

/** An element of a list; a setting, `{ name, value }`, is one line. */
function* element(
  item: Data,
  under: (name: string | number) => string,
  index: number,
): Generator<[string, string]> {
  const name = nameOf(item);
  const { name: _, ...rest } = name === undefined ? {} : (item as Record<string, Data>);
  if (name !== undefined && Object.keys(rest).join() === 'value')
    yield [under(name), shown(rest['value'] ?? null)];
  else yield* leaves(item, under(name ?? index));
}

function nameOf(item: Data): string | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
  const name = item['name'] ?? item['category'];
  return typeof name === 'string' ? name : undefined;
}

/** Long texts (the gateway's policy) by their length and digest. */
function shown(value: Data): string {
  const text = shortened(JSON.stringify(value) ?? '');
  if (text.length < 400) return text;
  return `${text.length} characters, ${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}

function shortened(text: string): string {
  return text
    .replaceAll(
      /\/subscriptions\/[\d-]+\/resourceGroups\/[\w-]+\/providers\/Microsoft\.Authorization\/roleAssignments\//g,
      'role ',
    )
    .replaceAll(/\/subscriptions\/[\d-]{36}\/resourceGroups\/([\w-]+)/g, '~')
    .replaceAll(/\/subscriptions\/[\d-]{36}/g, '^');
}

/** Resources of Azure that are a block of the one above them in Terraform. */
const blocks =
  /\/(?:blobServices\/default|backup\w+TermRetentionPolicies\/default|privateDnsZoneGroups\/[\w-]+)(?=: )/;

/** Lines that do not depend on how the properties of resources are nested: `resource: last name of the path`, with all its values in order. */
export function flatLinesOf(plan: Plan, isLeftOut: (line: string) => boolean): Lines {
  const pairs = [...pairsOf(plan)].filter(
    ([name]) => !isLeftOut(name) && !(blocks.test(name) && name.endsWith(': type')),
  );
  const flat = Map.groupBy(pairs, ([name]) =>
    name.startsWith('output: ')
      ? name
      : name.replace(blocks, '').replace(/(?<=: ).*?([^.]+)(?:\.\d+)*$/, '$1'),
  );
  return new Map(
    [...flat].map(([name, list]) => [
      name,
      list
        .map(([, value]) => value)
        .sort()
        .join(', '),
    ]),
  );
}

/** What two sets of lines do not have in common: the text before the `=`, and both values. */
export function differences(
  left: Lines,
  right: Lines,
): [what: string, left: string | undefined, right: string | undefined][] {
  const names = [...new Set([...left.keys(), ...right.keys()])].sort();
  return names
    .filter((name) => left.get(name) !== right.get(name))
    .map((name) => [name, left.get(name), right.get(name)]);
}
