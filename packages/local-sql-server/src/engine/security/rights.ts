/** Rights: on what each may be granted, and what grants it besides. */
import type { CatalogObject } from '../catalog.ts';

export type SecurableClass = 'DATABASE' | 'SCHEMA' | 'OBJECT';

export type Place = 'database' | 'schema' | CatalogObject['kind'];

/** Each right with its code in `sys.database_permissions`, and what it may be granted on. */
const table = `
SELECT: SL database schema table view function
INSERT: IN database schema table view
UPDATE: UP database schema table view
DELETE: DL database schema table view
REFERENCES: RF database schema table view function
EXECUTE: EX database schema procedure function
ALTER: AL database schema table view procedure function
CONTROL: CL database schema table view procedure function
VIEW DEFINITION: VW database schema table view procedure function
CONNECT: CO database
CREATE TABLE: CRTB database
CREATE VIEW: CRVW database
CREATE PROCEDURE: CRPR database
CREATE FUNCTION: CRFN database
CREATE TYPE: CRTY database
CREATE SCHEMA: CRSM database
CREATE ROLE: CRRL database
ALTER ANY SCHEMA: ALSM database
ALTER ANY USER: ALUS database
ALTER ANY ROLE: ALRL database`;

const rights = new Map(
  [...table.matchAll(/^(.+): (\w+) (.+)$/gm)].map(([, name = '', code = '', places = '']) => [
    name,
    { code, places: places.split(' ') as readonly Place[] },
  ]),
);

/** The name of a right as it is kept, which may be written shorter; undefined for one that this server does not have. */
export function rightNamed(written: string): string | undefined {
  const name = written.replace(/^EXEC$/, 'EXECUTE').replace(/^CREATE PROC$/, 'CREATE PROCEDURE');
  return rights.has(name) ? name : undefined;
}

/** Whether a right can be had on something. */
export function isApplicable(right: string, place: Place): boolean {
  return rights.get(right)?.places.includes(place) === true;
}

/** All rights that can be had on something. */
export function rightsOn(place: Place): readonly string[] {
  return [...rights.keys()].filter((right) => isApplicable(right, place));
}

export function codeOf(right: string): string {
  return rights.get(right)?.code ?? '';
}

/** The rights on a schema or a database, or on an object itself, that imply a right on what is in it. */
export function implying(right: string, of: SecurableClass, level: SecurableClass): readonly string[] {
  const onDatabase =
    level !== 'DATABASE'
      ? []
      : of !== 'DATABASE' && right === 'ALTER'
        ? ['ALTER ANY SCHEMA']
        : of === 'DATABASE' && /^(CREATE|ALTER ANY) /.test(right)
          ? ['ALTER']
          : [];
  return [right, 'CONTROL', ...onDatabase];
}
