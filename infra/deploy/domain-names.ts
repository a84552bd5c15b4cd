/** What DNS says of names. */

import { CONNREFUSED, NODATA, NOTFOUND, REFUSED, Resolver, SERVFAIL, TIMEOUT } from 'node:dns/promises';

/** The records of a name; empty lists: there are none. Throws an Unanswered where nobody says so. */
export interface DomainNames {
  readonly aliases: (name: string) => Promise<readonly string[]>;
  readonly texts: (name: string) => Promise<readonly string[]>;
}

/** Nobody has answered what stands in DNS; the message says why, and what to do. */
export class Unanswered extends Error {}

/** What each failure means, and what to do. */
const reasons: Readonly<Record<string, string>> = {
  [SERVFAIL]:
    'The name servers of the domain could not be asked (SERVFAIL). Where its zone or its DNSSEC was set up just now, wait an hour; else look whether the domain leads to its name servers (the NS and DS records where it is registered).',
  [REFUSED]:
    'The resolver of this machine refuses to look names up (REFUSED). Let the machine ask another one: its network settings name it, and a VPN or a company network may prescribe it.',
  [TIMEOUT]:
    'The resolver of this machine does not answer. Try again in a minute; else look whether the network is up, and whether a firewall lets DNS (port 53) through.',
  [CONNREFUSED]:
    'This machine reaches no resolver. Look whether it is on a network, and whether the resolver that its settings name is running.',
};

/** Asks the name servers of this machine, or those of another resolver. */
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
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // The name is not there (NXDOMAIN), or has no record of the type.
    if (code === NOTFOUND || code === NODATA) return [];
    if (!/^E[A-Z]+$/.test(code)) throw error;
    const reason =
      reasons[code] ??
      `The resolver of this machine gives no answer that can be read (${code}). Try again, or let the machine ask another one.`;
    throw new Unanswered(reason, { cause: error });
  }
}
