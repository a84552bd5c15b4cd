/** What DNS says of names. */

import { Resolver } from 'node:dns/promises';

/** The records of a name; empty lists: there are none. */
export interface DomainNames {
  readonly aliases: (name: string) => Promise<readonly string[]>;
  readonly texts: (name: string) => Promise<readonly string[]>;
}

/** Asks the name servers of this machine, or those of another resolver. Throws its error where none of them answers. */
export function namesInDns(resolver = new Resolver()): DomainNames {
  return {
    aliases: (name) => orNothing(resolver.resolveCname(name)),
    texts: async (name) => (await orNothing(resolver.resolveTxt(name))).map((parts) => parts.join('')),
  };
}

async function orNothing<T>(records: Promise<T[]>): Promise<T[]> {
  try {
    return await records;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
    throw error;
  }
}
