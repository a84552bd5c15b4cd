/** Checks the fields that a client reads, written as `events[].venue.city?:string`. */

type Json = unknown;

const isRecord = (value: Json): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const tests: Readonly<Record<string, (value: Json) => boolean>> = {
  array: Array.isArray,
  object: isRecord,
  false: (value) => value === false,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
};

/** Returns the fields that are missing or of another type in replies that have their first part, and those whose first part no reply has. */
export function faultsIn(replies: readonly Json[], fields: readonly string[]): string[] {
  return fields.filter((field) => {
    const [path = '', types = ''] = field.split(':');
    const [first = ''] = path.split(/\[\]|\.|\?/);
    const having = replies.filter((reply) => isRecord(reply) && Object.hasOwn(reply, first));
    if (having.length === 0) return !path.endsWith('?');
    const isRight = (value: Json) => types.split('|').some((type) => tests[type]?.(value) ?? false);
    return !having.every((reply) => valuesAt(reply, path).every(isRight));
  });
}

/** Missing values are undefined; a value that is no record, such as the empty list of an event without a venue, has none. */
function valuesAt(value: Json, path: string): readonly Json[] {
  if (path === '') return [value];
  const [, name = '', modifier = '', rest = ''] = /^(\w+)(\[\]|\?)?\.?(.*)$/.exec(path) ?? [];
  if (!isRecord(value)) return [];
  const inner = value[name];
  if (inner === undefined && modifier === '?') return [];
  if (modifier === '[]')
    return Array.isArray(inner) ? inner.flatMap((item) => valuesAt(item, rest)) : [inner];
  return valuesAt(inner, rest);
}
