/** Values of Terraform arguments against the closed sets that the providers accept. */

import { type Argument, resourceTypes } from './facts.ts';

/** What starts with a slash is the id of a resource; the providers parse it: names and values in turn, under a subscription. */
const resourceId = /^\/subscriptions(\/[^/]+\/[^/]+)*\/[^/]+$/;

/**
 * Lists arguments whose text is none of the accepted ones or an id that cannot be, in the resource's own block and in nested ones.
 * `config` holds arguments by name and blocks as arrays of objects; what is not a known text is passed over.
 */
export function wrongValues(typeName: string, config: unknown): string[] {
  const type = resourceTypes[typeName];
  if (!type) return [];
  return check(typeName, type.arguments, config);

  function check(path: string, args: Readonly<Record<string, Argument>>, block: unknown): string[] {
    if (typeof block !== 'object' || block === null) return [];
    return Object.entries(block).flatMap(([name, value]) => {
      const nested = type?.blocks[name];
      if (nested && Array.isArray(value))
        return value.flatMap((item) => check(`${path}.${name}`, nested, item));
      const wrongIds = [value].flat().filter(isWrongId);
      if (name !== 'body' && wrongIds.length > 0)
        return wrongIds.map((id) => `${path}.${name} is "${id}", which is no resource id`);
      const values = args[name]?.values;
      if (!values || typeof value !== 'string' || value.includes('${') || values.includes(value)) return [];
      return [`${path}.${name} is "${value}"; it must be one of ${values.join(', ')}`];
    });
  }
}

const isWrongId = (value: unknown) =>
  typeof value === 'string' && value.startsWith('/') && !value.includes('${') && !resourceId.test(value);
