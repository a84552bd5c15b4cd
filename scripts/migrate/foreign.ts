/** Protects the objects of a database that other scripts made. */

import { rowsOf, text } from '../../shared/sql/values.ts';
import type { Session } from '../sql/session.ts';
import type { Script, ScriptSet } from './scripts.ts';

const creates = /\bCREATE\s+(?:OR\s+ALTER\s+)?(?:TABLE|VIEW|PROC|PROCEDURE)\s+(?:\[?dbo\]?\.)?\[?(\w+)\]?/gi;

/** Tables of the service that scripts may alter, also in the database of an existing product. */
const ownTables = new Set(['tschemajournal', 'tcustomdataversions', 'tcustomdatatypes', 'tfieldlabels']);

/** Objects of the main database that an existing product has, or is about to get. */
const productObjects = new Set(['tobjproperties', 'vserviceusers', 'pstructureobjectinfoget']);

interface DatabaseObject {
  readonly name: string;
  /** All columns of the catalog, as one text. */
  readonly state: string;
}

/** Throws when a database without applied scripts of a set has objects that the scripts create: they belong to another product. */
export async function mustBeOurs(session: Session, { database, scripts }: ScriptSet): Promise<void> {
  const createdNames = new Set(scripts.flatMap(namesMadeBy));
  const conflicts = (await objectsOf(session)).filter(({ name }) => createdNames.has(name.toLowerCase()));
  if (conflicts.length === 0) return;
  const names = new Intl.ListFormat('en').format(conflicts.map(({ name }) => name).sort());
  throw new Error(
    `Cannot migrate: the ${database} database already has ${names}, which these scripts did not make. On the database of an existing product, install with "npm run migrate -- --adopt"; if these scripts made it without noting so, say it with "--baseline".`,
  );
}

/** Throws when a main database has no object of the product that is to be adopted: it is another database, or an empty one. */
export async function mustBeProduct(session: Session): Promise<void> {
  if ((await objectNames(session)).some((name) => productObjects.has(name.toLowerCase()))) return;
  throw new Error(
    `Cannot adopt the main database: it has none of the objects of an existing product, such as tObjProperties. See the settings DB_NAME and DB_SERVER; "npm run migrate" makes a new installation.`,
  );
}

/** Returns the names of the objects of a database; those of other schemas than dbo with their schema. */
export async function objectNames(session: Session): Promise<string[]> {
  return (await objectsOf(session)).map(({ name }) => name);
}

function namesMadeBy({ content }: Script): string[] {
  return [...content.matchAll(creates)].map(([, name = '']) => name.toLowerCase());
}

/** Remembers the state of every object. Returns a check for the end, which throws when an object was changed or dropped. */
export async function watchObjects(
  session: Session,
  { name: script }: Script,
): Promise<(session: Session) => Promise<void>> {
  const originals = (await objectsOf(session)).filter(({ name }) => !ownTables.has(name.toLowerCase()));
  return async (currentSession) => {
    const states = new Map((await objectsOf(currentSession)).map(({ name, state }) => [name, state]));
    const changed = originals.find(({ name, state }) => states.get(name) !== state);
    if (changed === undefined) return;
    throw new Error(
      `Cannot apply ${script}: it would change ${changed.name}, which belongs to the existing product.`,
    );
  };
}

async function objectsOf(session: Session): Promise<DatabaseObject[]> {
  const [result] = await session.batch(
    `SELECT s.name AS [schema], o.name, o.type, o.modify_date AS modified, OBJECT_DEFINITION(o.object_id) AS definition
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE o.is_ms_shipped = 0 AND o.parent_object_id = 0;`,
  );
  return rowsOf(result).map((row) => ({
    name: text(row, 'schema') === 'dbo' ? text(row, 'name') : `${text(row, 'schema')}.${text(row, 'name')}`,
    state: JSON.stringify(row),
  }));
}
