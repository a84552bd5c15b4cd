/** Checks the registered sources of custom data: whether they exist, and accept the parameters of the service. */

import type { Database } from '../../shared/sql/database.ts';
import { type ResultSet, rowsOf, text } from '../../shared/sql/values.ts';
import { foldCase } from '../../shared/text/fold-case.ts';
import { type CatalogObject, seesAll } from './catalog.ts';
import type { Finding } from './findings.ts';

const registrations = `
SELECT DISTINCT customDataIdentifier COLLATE Latin1_General_BIN2 AS identifier, kind COLLATE Latin1_General_BIN2 AS kind
FROM dbo.tCustomData WHERE kind <> 'JSON'
UNION SELECT customDataIdentifier COLLATE Latin1_General_BIN2, kind COLLATE Latin1_General_BIN2 FROM dbo.tCustomDataTypes
ORDER BY identifier;`;

/** Checks every registered source of custom data: a procedure or view to read, and for REF a procedure to write. */
export async function checkSources(
  customization: Database,
  catalog: ReadonlyMap<string, CatalogObject>,
): Promise<Finding[]> {
  const [result] = await customization.query(registrations);
  const rightHint = (await seesAll(customization))
    ? () => ''
    : (name: string) =>
        `, or this login has no right to it: GRANT EXECUTE ON dbo.${name} TO <user of the app>`;
  return toSources(result).flatMap(({ identifier, kind }): Finding[] => {
    const has = (name: string) => catalog.has(foldCase(name));
    const what = `source of the custom data "${identifier}" (${kind})`;
    const get = `pCustomData_${identifier}_Get`;
    const view = `CustomData_${identifier}`;
    const set = `pCustomData_${identifier}_Set`;
    const missingSources = [
      ...(has(get) || has(view)
        ? []
        : [`neither the procedure ${get} nor the view ${view} exists${rightHint(get)}`]),
      ...(kind === 'REF' && !has(set) ? [`the procedure ${set} does not exist${rightHint(set)}`] : []),
    ];
    const objects = [get, has(get) ? '' : view, kind === 'REF' ? set : ''].flatMap(
      (name) => catalog.get(foldCase(name)) ?? [],
    );
    const unusableObjects = objects.flatMap(signatureFindings);
    if (unusableObjects.length > 0) return unusableObjects;
    if (missingSources.length === 0) return [{ state: 'found', database: 'customization', what }];
    return missingSources.map((detail) => ({ state: 'missing', database: 'customization', what, detail }));
  });
}

/** Parameters that the service passes to the procedures of a source. */
const passedParameters = {
  _get: ['@propID', '@usrPropID', '@langID'],
  _set: ['@propID', '@usrPropID'],
} as const;

/** Returns a finding about a view without propID, or a procedure without one of the passed parameters. */
function signatureFindings({ name, form, columns, parameters }: CatalogObject): Finding[] {
  const finding = { state: 'different', database: 'customization', what: `${form} ${name}` } as const;
  const hasColumn = columns.some((column) => foldCase(column.name) === 'propid');
  if (form === 'view') return hasColumn ? [] : [{ ...finding, detail: 'it has no column propID' }];
  const expectedParameters = foldCase(name).endsWith('_get') ? passedParameters._get : passedParameters._set;
  const parameterNames = new Set(parameters.map((parameter) => foldCase(parameter.name)));
  if (expectedParameters.every((parameter) => parameterNames.has(foldCase(parameter)))) return [];
  const actualParameters = parameters.map((parameter) => parameter.name).join(', ') || 'none';
  return [
    {
      ...finding,
      detail: `its parameters are ${actualParameters}, and ${expectedParameters.join(', ')} are needed`,
    },
  ];
}

function toSources(result: ResultSet | undefined) {
  return rowsOf(result).map((row) => ({
    identifier: text(row, 'identifier'),
    kind: text(row, 'kind').toUpperCase(),
  }));
}
