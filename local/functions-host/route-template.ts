/** Route templates as the Functions host reads them (ASP.NET Core routing): `documents/{id:int}`, `{*rest}`, `{name?}`. */

type Constraint = (value: string) => boolean;

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

const constraints: Readonly<Record<string, (argument: string) => Constraint>> = {
  int: () => (value) => /^-?\d{1,10}$/.test(value) && Number(value) === (Number(value) | 0),
  long: () => (value) => /^-?\d{1,19}$/.test(value),
  guid: () => (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value),
  bool: () => (value) => /^(true|false)$/i.test(value),
  alpha: () => (value) => /^[a-z]*$/i.test(value),
  minlength: (least) => (value) => value.length >= Number(least),
  maxlength: (most) => (value) => value.length <= Number(most),
  length: (exactly) => (value) => value.length === Number(exactly),
  min: (least) => (value) => Number(value) >= Number(least),
  max: (most) => (value) => Number(value) <= Number(most),
  regex: (pattern) => (value) => new RegExp(pattern, 'i').test(value),
};

/** Parses a route template; throws on a constraint or a form that this host does not know. */
export function parseRouteTemplate(text: string): RouteTemplate {
  const segments = text === '' ? [] : splitSegments(text).map(parseSegment);
  return { text, segments };
}

/** Splits at slashes that are not inside braces, as a regex constraint may hold one. */
function splitSegments(text: string): string[] {
  return text.match(/(?:\{(?:[^{}]|\{\{|\}\})*\}|[^/])+/g) ?? [];
}

function parseSegment(text: string): Segment {
  if (!text.includes('{'))
    return { kind: 'literal', text: text.toLowerCase(), optional: false, constraints: [] };
  const match = /^\{(\*{0,2})([A-Za-z_]\w*)((?::[a-z]+(?:\(.*\))?)*)(\?)?\}$/.exec(text);
  if (match === null) throw new TypeError(`Cannot read the route segment "${text}": this form is not known.`);
  const [, stars = '', name = '', constraintText = '', question] = match;
  return {
    kind: stars === '' ? 'parameter' : 'catch-all',
    text: name,
    optional: question !== undefined,
    constraints: [...constraintText.matchAll(/:([a-z]+)(?:\((.*?)\)(?=:|$))?/g)].map(
      ([, kind = '', argument = '']) => constraint(kind, argument),
    ),
  };
}

function constraint(kind: string, argument: string): Constraint {
  const make = constraints[kind];
  if (make === undefined) throw new TypeError(`Cannot read the route constraint "${kind}": it is not known.`);
  return make(argument);
}

/** A path's segments, decoded: `all` with the empty ones that slashes leave, `counted` without the one after a slash at the end. */
export interface PathSegments {
  readonly all: readonly string[];
  readonly counted: readonly string[];
}

/** Splits a path (without the route prefix and leading slash, still percent-encoded). */
export function splitPath(path: string): PathSegments {
  const all = path.split('/').map(decode);
  return { all, counted: all.at(-1) === '' ? all.slice(0, -1) : all };
}

/** Matches a path and gives its parameters, or undefined. */
export function matchRoute(
  { segments }: RouteTemplate,
  { all, counted }: PathSegments,
): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = counted[index];
    if (segment.kind === 'catch-all') return { ...parameters, ...theRest(segment, all.slice(index)) };
    if (value === undefined && segment.optional) continue;
    if (value === undefined || !accepts(segment, value)) return undefined;
    if (segment.kind === 'parameter') parameters[segment.text] = value;
  }
  return counted.length > segments.length ? undefined : parameters;
}

/** A catch-all that has caught nothing gives no parameter. */
function theRest({ text }: Segment, left: readonly string[]): Record<string, string> {
  const value = left.join('/');
  return value === '' ? {} : { [text]: value };
}

function accepts({ kind, text, constraints: checks }: Segment, value: string): boolean {
  if (kind === 'literal') return value.length === text.length && value.toLowerCase() === text;
  return value !== '' && checks.every((holds) => holds(value));
}

/** Decodes as Kestrel does: everything but an encoded slash; a sequence that is not valid stays as it is. */
function decode(part: string): string {
  if (!part.includes('%')) return part;
  return part
    .split(/(%2f)/i)
    .map((piece, index) => (index % 2 === 1 ? piece : decodePiece(piece)))
    .join('');
}

function decodePiece(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}
