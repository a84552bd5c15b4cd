/** The sources of custom data that are registered: whether they exist, and take what the service passes. */

import type { Database } from '../../shared/sql/database.ts';
import { type ResultSet, rowsOf, text } from '../../shared/sql/values.ts';
import { foldCase } from '../../shared/text/fold-case.ts';
import { type CatalogObject, seesAll } from './catalog.ts';
import type { Finding } from './findings.ts';

const registered = `
SELECT DISTINCT customDataIdentifier COLLATE Latin1_General_BIN2 AS identifier, kind COLLATE Latin1_General_BIN2 AS kind
FROM dbo.tCustomData WHERE kind <> 'JSON'
UNION SELECT customDataIdentifier COLLATE Latin1_General_BIN2, kind COLLATE Latin1_General_BIN2 FROM dbo.tCustomDataTypes
ORDER BY identifier;`;

/** Checks that every registered source of custom data can be used: a procedure or view to read, and of REF a procedure to write. */
export async function checkSources(
  customization: Database,
  catalog: ReadonlyMap<string, CatalogObject>,
): Promise<Finding[]> {
  const [found] = await customization.query(registered);
  const orNoRight = (await seesAll(customization))
    ? () => ''
    : (name: string) =>
        `, or this login has no right to it: GRANT EXECUTE ON dbo.${name} TO <user of the app>`;
  return toSources(found).flatMap(({ identifier, kind }): Finding[] => {
    const has = (name: string) => catalog.has(foldCase(name));
    const what = `source of the custom data "${identifier}" (${kind})`;
    const [get, view, set] = [
      `pCustomData_${identifier}_Get`,
      `CustomData_${identifier}`,
      `pCustomData_${identifier}_Set`,
    ];
    const lacking = [
      ...(has(get) || has(view)
        ? []
        : [`neither the procedure ${get} nor the view ${view} exists${orNoRight(get)}`]),
      ...(kind === 'REF' && !has(set) ? [`the procedure ${set} does not exist${orNoRight(set)}`] : []),
    ];
    const found = [get, has(get) ? '' : view, kind === 'REF' ? set : ''].flatMap(
      (name) => catalog.get(foldCase(name)) ?? [],
    );
    const unusable = found.flatMap(misfit);
    if (unusable.length > 0) return unusable;
    if (lacking.length === 0) return [{ state: 'found', database: 'customization', what }];
    return lacking.map((detail) => ({ state: 'missing', database: 'customization', what, detail }));
  });
}

/** What the service passes to the procedures of a source. */
const passed = {
  _get: ['@propID', '@usrPropID', '@langID'],
  _set: ['@propID', '@usrPropID'],
} as const;

/** Returns what is wrong with a view that has no propID, or a procedure that does not take what is passed. */
function misfit({ name, form, columns, parameters }: CatalogObject): Finding[] {
  const finding = { state: 'different', database: 'customization', what: `${form} ${name}` } as const;
  const hasColumn = columns.some((column) => foldCase(column.name) === 'propid');
  if (form === 'view') return hasColumn ? [] : [{ ...finding, detail: 'it has no column propID' }];
  const needed = foldCase(name).endsWith('_get') ? passed._get : passed._set;
  const taken = new Set(parameters.map((parameter) => foldCase(parameter.name)));
  if (needed.every((parameter) => taken.has(foldCase(parameter)))) return [];
  const has = parameters.map((parameter) => parameter.name).join(', ') || 'none';
  return [{ ...finding, detail: `its parameters are ${has}, and ${needed.join(', ')} are needed` }];
}

function toSources(found: ResultSet | undefined) {
  return rowsOf(found).map((row) => ({
    identifier: text(row, 'identifier'),
    kind: text(row, 'kind').toUpperCase(),
  }));
}
