/** Names of functions, by which the host orders routes. */

/**
 * Names the function of a route after its template. The host tries routes in the order of their functions' names, without regard to case,
 * and takes the first match. So the names put literals before parameters before catch-alls: of the characters of a name (letters, digits,
 * `-`, `_`) the underscore is last.
 */
export function functionName(template: string): string {
  return ['http', ...template.split('/').filter(Boolean).map(partOfName)].join('-');
}

/** Names functions by their templates: of two that would have one name (`a-b` and `a/b`), the second has a dash at its end. */
export function createFunctionNames(): (template: string) => string {
  const taken = new Set<string>();
  return (template) => {
    let name = functionName(template);
    while (taken.has(name.toLowerCase())) name += '-';
    taken.add(name.toLowerCase());
    return name;
  };
}

function partOfName(segment: string): string {
  const [, stars = '', parameter] = /^\{(\**)(\w+)\}$/.exec(segment) ?? [];
  if (parameter === undefined) return segment.replace(/[^A-Za-z0-9]+/g, '-');
  return `${stars === '' ? '_' : '__'}${parameter}`;
}
