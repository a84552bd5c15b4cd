/** The users and roles that every database has. */
import type { Catalog, Permission, Principal } from '../catalog.ts';
import { sameName } from '../catalog.ts';

/** The owner of the database, with all rights. */
export const dbo = 1;
const publicRole = 0;

function fixed(id: number, name: string, type: 'S' | 'R', ...rights: readonly string[]): Principal {
  const permissions = rights.map((words): Permission => {
    const state = words.startsWith('DENY ') ? 'DENY' : 'GRANT';
    return { state, right: words.replace(/^DENY /, ''), on: 'DATABASE', id: 0 };
  });
  const time = '2003-04-08 09:10:42.287';
  return { kind: 'principal', id, name, type, roles: [], permissions, created: time, modified: time };
}

const changes = ['INSERT', 'UPDATE', 'DELETE'];
const creations = ['TABLE', 'VIEW', 'PROCEDURE', 'FUNCTION', 'TYPE', 'SCHEMA'].map(
  (kind) => `CREATE ${kind}`,
);

/** Their ids are SQL Server's. */
const fixedPrincipals: readonly Principal[] = [
  fixed(publicRole, 'public', 'R'),
  fixed(dbo, 'dbo', 'S'),
  fixed(2, 'guest', 'S'),
  fixed(3, 'INFORMATION_SCHEMA', 'S'),
  fixed(4, 'sys', 'S'),
  fixed(16_384, 'db_owner', 'R', 'CONTROL'),
  fixed(16_385, 'db_accessadmin', 'R', 'ALTER ANY USER', 'CREATE SCHEMA'),
  fixed(16_386, 'db_securityadmin', 'R', 'ALTER ANY ROLE', 'CREATE SCHEMA', 'VIEW DEFINITION'),
  fixed(16_387, 'db_ddladmin', 'R', 'ALTER ANY SCHEMA', 'REFERENCES', ...creations),
  fixed(16_389, 'db_backupoperator', 'R'),
  fixed(16_390, 'db_datareader', 'R', 'SELECT'),
  fixed(16_391, 'db_datawriter', 'R', ...changes),
  fixed(16_392, 'db_denydatareader', 'R', 'DENY SELECT'),
  fixed(16_393, 'db_denydatawriter', 'R', ...changes.map((right) => `DENY ${right}`)),
];

/** Whether a principal is there from the beginning; of these only public may be granted something. */
export function isFixed({ id }: Principal): boolean {
  return id <= 4 || id >= 16_384;
}

/** All principals of a database, by id. */
export function principalsOf({ principals }: Catalog): readonly Principal[] {
  const ids = new Set(principals.map(({ id }) => id));
  return [...fixedPrincipals.filter(({ id }) => !ids.has(id)), ...principals].sort((a, b) => a.id - b.id);
}

export function principalById(catalog: Catalog, id: number): Principal | undefined {
  return principalsOf(catalog).find((principal) => principal.id === id);
}

export function principalNamed(catalog: Catalog, name: string): Principal | undefined {
  return principalsOf(catalog).find((principal) => sameName(principal.name, name));
}

/** A user with all roles that it is a member of, directly or through roles, and public. */
export function holdersOf(catalog: Catalog, user: number): readonly Principal[] {
  const ids = new Set([publicRole, user]);
  for (const id of ids) for (const role of principalById(catalog, id)?.roles ?? []) ids.add(role);
  return principalsOf(catalog).filter(({ id }) => ids.has(id));
}

/** Whether a user, or a role, is a member of a role. The owner is one of db_owner. */
export function isMember(catalog: Catalog, user: number, { id, name }: Principal): boolean {
  if (user === dbo && name === 'db_owner') return true;
  return user !== id && holdersOf(catalog, user).some((holder) => holder.id === id);
}
