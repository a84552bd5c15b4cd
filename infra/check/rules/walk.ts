/** Walking through values. */

import { Expression, isObject, type Resource, type Value } from '../model.ts';

/** Every name in a value with its path (`properties.siteConfig.appSettings`) and value, at any depth. */
export function* namesIn(
  value: Value | undefined,
  path = '',
): Generator<{ path: string; name: string; value: Value }> {
  if (Array.isArray(value)) for (const item of value) yield* namesIn(item, path);
  else if (isObject(value))
    for (const [name, inner] of Object.entries(value)) {
      const here = path === '' ? name : `${path}.${name}`;
      yield { path: here, name, value: inner };
      yield* namesIn(inner, here);
    }
}

/** The value at a path of names and positions (`administrators.sid`, `identity.0.type`); undefined: none. */
export function at(value: Value | undefined, path: string): Value | undefined {
  let here = value;
  for (const step of path.split('.')) {
    if (Array.isArray(here)) here = here[Number(step)];
    else if (isObject(here)) here = here[step];
    else return undefined;
  }
  return here;
}

/** A value as text for messages. */
export function show(value: Value | undefined): string {
  return value instanceof Expression ? value.text : (JSON.stringify(value) ?? 'nothing');
}

/** The body of a resource as Azure gets it: for azapi, what stands in its `body`. */
export function armBody(resource: Resource): Value {
  return resource.body['body'] ?? resource.body;
}

/** `infra/bicep/main.bicep:12`. */
export const place = (resource: Resource) => `${resource.file}:${resource.line}`;

/** Compares two lists of names: what only the first has, and what only the second has. */
export function difference(first: Iterable<string>, second: Iterable<string>): [string[], string[]] {
  const [item, other] = [new Set(first), new Set(second)];
  return [[...item].filter((name) => !other.has(name)), [...other].filter((name) => !item.has(name))];
}
