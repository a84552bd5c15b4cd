/** Functions about users, roles and rights. */

import { sameName } from '../catalog.ts';
import { database, type Securable } from '../security/access.ts';
import { isMember, principalById, principalNamed } from '../security/principals.ts';
import { isApplicable, type Place, rightNamed, rightsOn } from '../security/rights.ts';
import type { SqlValue } from '../session.ts';
import { int, nvarchar, sysname } from '../types.ts';
import type { FunctionContext, FunctionLibrary, ScalarFunction } from './definition.ts';
import { databaseNames, fact, objectId } from './system.ts';

function nameOf({ wholeCatalog }: FunctionContext, id: number): string | null {
  return principalById(wholeCatalog, id)?.name ?? null;
}

const currentUser = fact(sysname, (context) => nameOf(context, context.user));

/** The id of a user or role by name; without a name that of the user of the moment. */
const principalId: ScalarFunction = {
  parameters: [sysname],
  optional: 1,
  returns: int,
  run: ({ wholeCatalog, user }, [name]) =>
    name === undefined ? user : (principalNamed(wholeCatalog, String(name))?.id ?? null),
};

/** Whether a user, by name, is a member of a role; NULL when one of them is not there. */
function membership({ wholeCatalog, user }: FunctionContext, [role, member]: readonly SqlValue[]): SqlValue {
  const into = principalNamed(wholeCatalog, String(role));
  const id = member === undefined ? user : principalNamed(wholeCatalog, String(member))?.id;
  if (into?.type !== 'R' || id === undefined) return null;
  return Number(isMember(wholeCatalog, id, into));
}

/** Functions about users, roles and rights. */
export const principalFunctions: FunctionLibrary = {
  CURRENT_USER: currentUser,
  SESSION_USER: currentUser,
  USER: currentUser,
  USER_NAME: {
    parameters: [int],
    optional: 1,
    returns: sysname,
    run: (context, [id]) => nameOf(context, id === undefined ? context.user : Number(id)),
  },
  USER_ID: principalId,
  DATABASE_PRINCIPAL_ID: principalId,
  IS_MEMBER: { parameters: [sysname], returns: int, run: membership },
  IS_ROLEMEMBER: { parameters: [sysname, sysname], optional: 1, returns: int, run: membership },
  HAS_PERMS_BY_NAME: {
    parameters: [nvarchar(776), nvarchar(60), nvarchar(60)],
    returns: int,
    run: (context, [name, kind, right]) => hasPermission(context, String(name), String(kind), String(right)),
  },
};

/** 1 or 0; NULL for an unknown object or right, and for a right that the object cannot have. */
function hasPermission(context: FunctionContext, name: string, kind: string, right: string): number | null {
  const catalog = context.wholeCatalog;
  const searches: Readonly<Record<string, () => (Securable & { readonly place: Place }) | undefined>> = {
    object: () => {
      const id = objectId(context, name, undefined, catalog);
      const object = id === null ? undefined : catalog.byId(id);
      return object && { place: object.kind, on: 'OBJECT', id: object.id };
    },
    schema: () => {
      const id = catalog.schema(name.replace(/^\[(.*)\]$/, '$1'))?.id;
      return id === undefined ? undefined : { place: 'schema', on: 'SCHEMA', id };
    },
    database: () =>
      databaseNames(context).some((database) => sameName(database, name.replace(/^\[(.*)\]$/, '$1')))
        ? { place: 'database', ...database }
        : undefined,
  };
  const found = searches[kind.toLowerCase()]?.();
  if (found === undefined) return null;
  if (right.toUpperCase() === 'ANY')
    return Number(rightsOn(found.place).some((held) => context.may(held, found)));
  const permission = rightNamed(right.toUpperCase());
  if (permission === undefined || !isApplicable(permission, found.place)) return null;
  return Number(context.may(permission, found));
}
