/** What a user may do. */
import { type SqlError, sqlError } from '../../tsql/sql-error.ts';
import type { CatalogObject, Permission } from '../catalog.ts';
import { Catalog } from '../catalog.ts';
import { dbo, holdersOf } from './principals.ts';
import { implying, rightsOn, type SecurableClass } from './rights.ts';

/** What a right is about: the database has the id 0. */
export interface Securable {
  readonly on: SecurableClass;
  readonly id: number;
}

/** A right on an object that a statement needs. */
export interface Need {
  readonly right: string;
  readonly object: CatalogObject;
}

export const database: Securable = { on: 'DATABASE', id: 0 };

export function objectSecurable({ id }: CatalogObject): Securable {
  return { on: 'OBJECT', id };
}

const found = new WeakMap<Catalog, Map<string, boolean>>();

/** Whether a user has a right: granted to it or to a role of it, there or further up, and nowhere denied. */
export function isAllowed(catalog: Catalog, user: number, right: string, securable: Securable): boolean {
  if (user === dbo) return true;
  const cached = found.get(catalog) ?? new Map<string, boolean>();
  found.set(catalog, cached);
  const key = `${user} ${right} ${securable.on} ${securable.id}`;
  const allowed = cached.get(key) ?? decide(catalog, user, right, securable);
  cached.set(key, allowed);
  return allowed;
}

function decide(catalog: Catalog, user: number, right: string, securable: Securable): boolean {
  const levels = levelsOf(catalog, securable);
  const concerns = (permission: Permission) =>
    levels.some(
      ({ on, id }) =>
        permission.on === on &&
        permission.id === id &&
        implying(right, securable.on, on).includes(permission.right),
    );
  const permissions = holdersOf(catalog, user).flatMap((holder) => holder.permissions.filter(concerns));
  return permissions.length > 0 && permissions.every(({ state }) => state === 'GRANT');
}

/** What something is in, with itself. */
function levelsOf(catalog: Catalog, securable: Securable): Securable[] {
  const schema =
    securable.on === 'OBJECT' ? catalog.schema(catalog.byId(securable.id)?.schema ?? 'dbo')?.id : undefined;
  return [securable, ...(schema === undefined ? [] : [{ on: 'SCHEMA', id: schema } as const]), database];
}

/** 229 for a right that is missing. */
export function denied(databaseName: string, { right, object }: Need): SqlError {
  return sqlError(229, right, object.name, databaseName, object.schema);
}

const visible = new WeakMap<Catalog, Map<number, Catalog>>();

/** The catalog as a user sees it: without the objects on which it has no right at all. */
export function visibleCatalog(catalog: Catalog, user: number): Catalog {
  if (user === dbo) return catalog;
  const cached = visible.get(catalog) ?? new Map<number, Catalog>();
  visible.set(catalog, cached);
  const seen = cached.get(user) ?? reduced(catalog, user);
  cached.set(user, seen);
  return seen;
}

function reduced(catalog: Catalog, user: number): Catalog {
  const isSeen = (object: CatalogObject) =>
    rightsOn(object.kind).some((right) => isAllowed(catalog, user, right, objectSecurable(object)));
  return new Catalog({ ...catalog, objects: catalog.objects.filter(isSeen) });
}
