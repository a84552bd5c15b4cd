/** Which user of a database a login is. */
import type { Principal } from '../catalog.ts';
import { sameName } from '../catalog.ts';
import type { Database } from '../storage/database.ts';
import { dbo } from './principals.ts';

const guest = 2;

/**
 * Returns the id of the user that a login is in a database. A login, or an identity of Entra ID, for which no database has a user is an
 * administrator and owns them all. Undefined for one that is a user of other databases only, which may come into master as a guest.
 */
export function userOf(login: string, database: Database, databases: Iterable<Database>): number | undefined {
  const user = userIn(login, database);
  if (user !== undefined) return user.id;
  for (const other of databases)
    if (userIn(login, other) !== undefined) return database.name === 'master' ? guest : undefined;
  return dbo;
}

function userIn(login: string, { catalog }: Database): Principal | undefined {
  return catalog.principals.find(({ type, name, login: ownLogin, sid }) => {
    if (type === 'E') return sid === undefined ? sameName(name, login) : sid === sidOf(login);
    return ownLogin !== undefined && sameName(ownLogin, login);
  });
}

/** The SID of an application, which logs in as `<client id>@<tenant>`: the bytes of its client id, as a uniqueidentifier has them. */
function sidOf(login: string): string | undefined {
  const [, one = '', two = '', three = '', rest = ''] =
    /^([\da-f]{8})-([\da-f]{4})-([\da-f]{4})-([\da-f]{4}-[\da-f]{12})@/i.exec(login) ?? [];
  if (one === '') return undefined;
  const reversed = [one, two, three].map((group) => (group.match(/../g) ?? []).reverse().join(''));
  return `${reversed.join('')}${rest.replace('-', '')}`.toUpperCase();
}
