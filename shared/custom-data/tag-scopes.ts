/** What an entity tag of custom data is of, by how it begins: all of an object, several values, or one. */

import { CodedError } from '../errors.ts';
import type { IfMatch } from '../http/entity-tag.ts';

/** How tags begin. */
export const tagScopes = { all: '', some: 'some.', one: 'one.' } as const;

type Scope = keyof typeof tagScopes;

/** What a tag fits, by what it is of. */
const uses: Readonly<Record<Scope, string>> = {
  all: 'is of all custom data, and fits a change of all of it alone',
  some: 'is of several values, and fits a read of them alone',
  one: 'is of one value, and fits a change of that value alone',
};

/** Throws `precondition-failed` where `If-Match` has tags of another scope alone: such a tag can never name what is replaced. */
export function checkScope(ifMatch: IfMatch, wanted: 'all' | 'one'): void {
  if (ifMatch === undefined || ifMatch === '*') return;
  const scopes = ifMatch.map(scopeOf);
  const [other] = scopes;
  if (other === undefined || scopes.includes(wanted)) return;
  throw new CodedError(
    'precondition-failed',
    `Cannot store custom data: the entity tag of If-Match ${uses[other]}.`,
    {
      hint:
        wanted === 'all'
          ? 'Read all custom data of the object, and send its ETag; or PUT the value alone.'
          : 'Read the value alone, and send its ETag.',
    },
  );
}

function scopeOf(tag: string): Scope {
  const opaque = tag.replace(/^(?:W\/)?"/, '');
  if (opaque.startsWith(tagScopes.one)) return 'one';
  return opaque.startsWith(tagScopes.some) ? 'some' : 'all';
}
