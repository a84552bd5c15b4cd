/** Route templates as the Functions host reads them (ASP.NET Core routing): `documents/{id:int}`, `{*rest}`, `{name?}`. */

import { type Constraint, createConstraint } from './constraints.ts';

interface Segment {
  readonly kind: 'literal' | 'parameter' | 'catch-all';
  /** The literal in lower case, or the name of the parameter. */
  readonly text: string;
  readonly optional: boolean;
  readonly constraints: readonly Constraint[];
}

export interface RouteTemplate {
  readonly text: string;
  readonly segments: readonly Segment[];
}

/** Parses a route template; throws a TypeError on a constraint or a form that the emulator does not support. */
export function parseRouteTemplate(text: string): RouteTemplate {
  return { text, segments: splitSegments(text.replace(/^~?\//, '')).map(parseSegment) };
}

/** Splits at slashes that are not inside braces, as a regex constraint may hold one. */
function splitSegments(text: string): string[] {
  return text.match(/(?:\{(?:[^{}]|\{\{|\}\})*\}|[^/])+/g) ?? [];
}

function parseSegment(text: string): Segment {
  if (!text.includes('{'))
    return { kind: 'literal', text: text.toLowerCase(), optional: false, constraints: [] };
  const match = /^\{(\*{0,2})([A-Za-z_]\w*)((?::[A-Za-z]+(?:\(.*\))?)*)(\?)?\}$/.exec(text);
  if (match === null)
    throw new TypeError(`Cannot read the route segment "${text}": the emulator does not support this form.`);
  const [, stars = '', name = '', constraintText = '', question] = match;
  return {
    kind: stars === '' ? 'parameter' : 'catch-all',
    text: name,
    optional: question !== undefined,
    constraints: [...constraintText.matchAll(/:([A-Za-z]+)(?:\((.*?)\)(?=:|$))?/g)].map(
      ([, kind = '', argument = '']) =>
        createConstraint(kind, argument.replaceAll('{{', '{').replaceAll('}}', '}')),
    ),
  };
}

/** Splits a decoded path at its slashes; the first one, and one at the end, divide nothing. */
export function splitPath(path: string): readonly string[] {
  const segments = path.slice(path.startsWith('/') ? 1 : 0).split('/');
  return segments.at(-1) === '' ? segments.slice(0, -1) : segments;
}

/** Matches a path and its segments; returns the parameters, or undefined. */
export function matchRoute(
  { segments }: RouteTemplate,
  path: string,
  parts: readonly string[],
): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = parts[index];
    // Not even a catch-all takes an empty segment at its start.
    if (value === '') return undefined;
    if (segment.kind === 'catch-all') return catchAll(segment, parameters, path, parts, index);
    if (value === undefined && segment.optional) continue;
    if (value === undefined || !accepts(segment, value)) return undefined;
    if (segment.kind === 'parameter') parameters[segment.text] = value;
  }
  return parts.length > segments.length ? undefined : parameters;
}

/** A catch-all takes the rest of the path as it is; one that has caught nothing gives no parameter. */
function catchAll(
  { text, constraints }: Segment,
  parameters: Record<string, string>,
  path: string,
  parts: readonly string[],
  index: number,
): Record<string, string> | undefined {
  if (parts.length <= index) return parameters;
  const before = parts.slice(0, index).reduce((sum, part) => sum + part.length + 1, 0);
  const value = path.slice((path.startsWith('/') ? 1 : 0) + before);
  return constraints.every((holds) => holds(value)) ? { ...parameters, [text]: value } : undefined;
}

function accepts({ kind, text, constraints }: Segment, value: string): boolean {
  if (kind === 'literal') return value.length === text.length && value.toLowerCase() === text;
  return constraints.every((holds) => holds(value));
}
