/** CREATE and DROP of users and roles, ALTER ROLE, GRANT, DENY and REVOKE. */
import { sqlError, sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import type { CreateUser, Permission as PermissionStatement, Statement } from '../../tsql/statement-ast.ts';
import { type Permission, type Principal, sameName, stamp } from '../catalog.ts';
import type { Context } from '../run/context.ts';
import { storeObject } from '../storage/database.ts';
import { findObject } from '../translate/compilation.ts';
import { database, isAllowed, objectSecurable, type Securable } from './access.ts';
import { holdersOf, isFixed, principalNamed, principalsOf } from './principals.ts';
import { isApplicable, type Place, rightNamed } from './rights.ts';

type Located<Kind extends Statement['kind']> = Statement & { readonly kind: Kind };

const kinds = { S: 'user', E: 'user', R: 'role' } as const;

/** Runs a statement about users, roles and rights; returns whether it is one. */
export function definePrincipal(context: Context, statement: Statement): boolean {
  switch (statement.kind) {
    case 'createUser':
      createUser(context, statement);
      return true;
    case 'createRole':
      mustHave(context, 'CREATE ROLE');
      create(context, { name: statement.name, type: 'R' });
      return true;
    case 'dropPrincipal':
      drop(context, statement);
      return true;
    case 'alterRole':
      alterRole(context, statement);
      return true;
    case 'permission':
      changePermissions(context, statement);
      return true;
    default:
      return false;
  }
}

function mustHave({ transaction, user }: Context, right: string): void {
  if (!isAllowed(transaction.catalog, user, right, database)) throw sqlError(15_247);
}

/** Throws 15007 for a login that does not exist, 15063 for one that is a user already, 15405 for the administrator. */
function createUser(context: Context, { name, login, external = false, sid }: CreateUser): void {
  mustHave(context, 'ALTER ANY USER');
  if (login !== undefined) {
    if (sameName(login, 'sa')) throw sqlError(15_405, login);
    if (!context.server.logins.has(login.toLowerCase())) throw sqlError(15_007, login);
    const { principals } = context.transaction.catalog;
    if (principals.some((other) => other.login !== undefined && sameName(other.login, login)))
      throw sqlError(15_063);
  }
  create(context, { name, type: external ? 'E' : 'S', login, sid });
}

function create(context: Context, given: Pick<Principal, 'name' | 'type' | 'login' | 'sid'>): void {
  const { catalog } = context.transaction;
  if (principalNamed(catalog, given.name)) throw sqlError(15_023, given.name);
  const id = Math.max(4, ...catalog.principals.map((principal) => principal.id)) + 1;
  const time = stamp();
  store(context, {
    kind: 'principal',
    id,
    ...given,
    roles: [],
    permissions: [],
    created: time,
    modified: time,
  });
}

/** What principals are stored in. */
type Store = Pick<Context, 'connection' | 'transaction'>;

function store({ connection, transaction }: Store, principal: Principal): void {
  const { catalog } = transaction;
  const others = catalog.principals.filter(({ id }) => id !== principal.id);
  storeObject(connection.sqlite, principal.id, principal);
  transaction.catalog = catalog.withPrincipals([...others, principal]);
}

/** Throws 15151 for a principal that does not exist, 15150 for one that every database has, 15144 for a role with members. */
function drop(context: Context, { type, name, ifExists }: Located<'dropPrincipal'>): void {
  const { connection, transaction, user } = context;
  const { catalog } = transaction;
  const found = principalNamed(catalog, name);
  const isThere = found !== undefined && kinds[found.type] === type;
  const mayDrop = isAllowed(catalog, user, `ALTER ANY ${type.toUpperCase()}`, database);
  if (!isThere && ifExists) return;
  if (!isThere || !mayDrop) throw sqlError(15_151, 'drop', type, name);
  if (isFixed(found)) throw sqlError(15_150, 'drop', type, name);
  if (catalog.principals.some(({ roles }) => roles.includes(found.id))) throw sqlError(15_144);
  storeObject(connection.sqlite, found.id, undefined);
  transaction.catalog = catalog.withPrincipals(catalog.principals.filter(({ id }) => id !== found.id));
}

/**
 * Throws 15151 for a role or member that does not exist, 15405 for members of public and for the owner, 15413 for a role that would be a
 * member of itself.
 */
function alterRole(context: Context, { role, adds, member }: Located<'alterRole'>): void {
  const { catalog } = context.transaction;
  const into = principalNamed(catalog, role);
  const mayAlter = isAllowed(catalog, context.user, 'ALTER ANY ROLE', database);
  if (into?.type !== 'R' || !mayAlter) throw sqlError(15_151, 'alter', 'role', role);
  if (into.name === 'public') throw sqlError(15_081);
  const found = principalNamed(catalog, member);
  if (!found) throw sqlError(15_151, adds ? 'add' : 'drop', 'principal', member);
  if (isFixed(found)) throw sqlError(15_405, member);
  if (adds && holdersOf(catalog, into.id).some(({ id, type }) => id === found.id && type === 'R'))
    throw sqlError(15_413);
  const otherRoles = found.roles.filter((id) => id !== into.id);
  if (!adds && otherRoles.length === found.roles.length) throw sqlError(15_151, 'drop', 'principal', member);
  store(context, { ...found, roles: adds ? [...otherRoles, into.id] : otherRoles });
}

/**
 * Throws 15151 for an object or principal that does not exist, 4606 for a right that the object cannot have, 4617 and 4624 for principals
 * that every database has.
 */
function changePermissions(context: Context, statement: PermissionStatement & Statement): void {
  const { action, rights, principals, at } = statement;
  const { securable, place } = securableOf(context, statement);
  const names = rights.map((written) => {
    const right = rightNamed(written);
    if (right === undefined) throw unsupported(`the right ${written}`, at);
    if (isApplicable(right, place)) return right;
    if (securable.on === 'OBJECT') throw sqlErrorAt(at, 4606, right);
    throw unsupported(`the right ${right} on a ${place}`, at);
  });
  for (const name of principals) {
    const found = grantee(context, name);
    const changed: Permission[] =
      action === 'revoke'
        ? []
        : names.map((right) => ({ ...securable, state: action === 'grant' ? 'GRANT' : 'DENY', right }));
    const kept = found.permissions.filter(
      ({ on, id, right }) => on !== securable.on || id !== securable.id || !names.includes(right),
    );
    store(context, { ...found, permissions: [...kept, ...changed] });
  }
}

function grantee({ transaction, user }: Context, name: string): Principal {
  const found = principalNamed(transaction.catalog, name);
  if (!found) throw sqlError(15_151, 'find', 'user', name);
  if (found.id === user || (isFixed(found) && found.type !== 'R')) throw sqlError(4624);
  if (isFixed(found) && found.name !== 'public') throw sqlError(4617);
  return found;
}

/** What ON names, which only its owner may pass on. */
function securableOf(
  context: Context,
  { on, at }: PermissionStatement & Statement,
): { securable: Securable; place: Place } {
  const { user, transaction, translationContext } = context;
  const { catalog } = transaction;
  const written = on?.name.parts.at(-1) ?? '';
  const mayGrant = (securable: Securable) => isAllowed(catalog, user, 'CONTROL', securable);
  if (on === undefined || on.type === 'DATABASE') {
    const isOther = on !== undefined && !sameName(written, context.database);
    if (isOther || !mayGrant(database))
      throw sqlError(15_151, 'find', 'database', written || context.database);
    return { securable: database, place: 'database' };
  }
  if (on.type === 'SCHEMA') {
    const securable = { on: 'SCHEMA', id: catalog.schema(written)?.id ?? 0 } as const;
    if (securable.id === 0 || !mayGrant(securable)) throw sqlError(15_151, 'find', 'schema', written);
    return { securable, place: 'schema' };
  }
  const object = findObject(translationContext, on.name.parts, at);
  if (!object || !mayGrant(objectSecurable(object))) throw sqlError(15_151, 'find', 'object', written);
  return { securable: objectSecurable(object), place: object.kind };
}

/** Forgets what was granted on an object that is dropped. */
export function forgetPermissions(context: Store, object: number): void {
  const isOn = ({ on, id }: Permission) => on === 'OBJECT' && id === object;
  for (const principal of principalsOf(context.transaction.catalog))
    if (principal.permissions.some(isOn))
      store(context, {
        ...principal,
        permissions: principal.permissions.filter((permission) => !isOn(permission)),
      });
}
