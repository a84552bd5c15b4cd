/** The objects in a database that these scripts did not make, and the proof that they are unchanged. */

import type { Session } from '../../shared/sql/session.ts';
import { rowsOf, text } from '../../shared/sql/values.ts';
import type { Script, ScriptSet } from './scripts.ts';

const creates = /\bCREATE\s+(?:OR\s+ALTER\s+)?(?:TABLE|VIEW|PROC|PROCEDURE)\s+(?:\[?dbo\]?\.)?\[?(\w+)\]?/gi;

/** Tables of ours that scripts may alter, in the database of an existing product too. */
const ours = new Set(['tschemajournal', 'tcustomdataversions', 'tcustomdatatypes', 'tfieldlabels']);

interface DatabaseObject {
  readonly name: string;
  /** Everything that the catalog says of it, as one text. */
  readonly state: string;
}

/** Throws when a database that has never seen a set of scripts has objects that they make: they are someone else's. */
export async function mustBeOurs(session: Session, { database, scripts }: ScriptSet): Promise<void> {
  const made = new Set(scripts.flatMap(namesMadeBy));
  const found = (await objectsOf(session)).filter(({ name }) => made.has(name.toLowerCase()));
  if (found.length === 0) return;
  const names = new Intl.ListFormat('en').format(found.map(({ name }) => name).sort());
  throw new Error(
    `Cannot migrate: the ${database} database already has ${names}, which these scripts did not make. On the database of an existing product, install with "npm run migrate -- --adopt"; if these scripts made it without noting so, say it with "--baseline".`,
  );
}

function namesMadeBy({ content }: Script): string[] {
  return [...content.matchAll(creates)].map(([, name = '']) => name.toLowerCase());
}

/** Looks at every object. Returns the look at the end, which throws when one of them has been changed or dropped. */
export async function watchObjects(
  session: Session,
  { name: script }: Script,
): Promise<(session: Session) => Promise<void>> {
  const before = (await objectsOf(session)).filter(({ name }) => !ours.has(name.toLowerCase()));
  return async (later) => {
    const after = new Map((await objectsOf(later)).map(({ name, state }) => [name, state]));
    const changed = before.find(({ name, state }) => after.get(name) !== state);
    if (changed === undefined) return;
    throw new Error(
      `Cannot apply ${script}: it would change ${changed.name}, which belongs to the existing product.`,
    );
  };
}

async function objectsOf(session: Session): Promise<DatabaseObject[]> {
  const [found] = await session.batch(
    `SELECT s.name AS [schema], o.name, o.type, o.modify_date AS modified, OBJECT_DEFINITION(o.object_id) AS definition
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE o.is_ms_shipped = 0 AND o.parent_object_id = 0;`,
  );
  return rowsOf(found).map((row) => ({
    name: text(row, 'schema') === 'dbo' ? text(row, 'name') : `${text(row, 'schema')}.${text(row, 'name')}`,
    state: JSON.stringify(row),
  }));
}
