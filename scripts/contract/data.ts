/** The parts of the contract that only a look at data, or a call, can show. */

import type { Config } from '../../shared/config.ts';
import { isCodedError } from '../../shared/errors.ts';
import { foldCase } from '../../shared/fold-case.ts';
import { createUsers } from '../../shared/records/users.ts';
import type { Database } from '../../shared/sql/database.ts';
import { SqlFailure } from '../../shared/sql/failure.ts';
import { type ResultSet, rowsOf, text } from '../../shared/sql/values.ts';
import { type CatalogObject, seesAll } from './catalog.ts';
import type { Finding } from './findings.ts';

/** Checks that the service's own account is among the users. */
export async function checkAccount(main: Database, config: Config): Promise<Finding[]> {
  const what = `account ${config.SERVICE_API_USERNAME} (SERVICE_API_USERNAME) in vServiceUsers`;
  const finding = { database: 'main', what } as const;
  try {
    await createUsers(() => config.SERVICE_API_USERNAME).service(main);
    return [{ state: 'found', ...finding }];
  } catch (error) {
    if (!isCodedError(error, 'service-account-missing')) throw error;
    return [{ state: 'missing', ...finding, detail: 'add it, or correct the setting' }];
  }
}

const infoColumns = ['propID', 'objectID', 'moduleID', 'typeID'];

/** Checks the parameter of pStructureObjectInfoGet, and its columns by a call. */
export async function checkInfoProcedure(
  main: Database,
  { name, parameters }: CatalogObject,
): Promise<Finding[]> {
  const finding = { database: 'main', what: `procedure ${name}` } as const;
  if (parameters.length !== 1 || foldCase(parameters[0]?.name ?? '') !== '@propid') {
    const names = parameters.map((parameter) => parameter.name).join(', ') || 'none';
    return [
      {
        state: 'different',
        ...finding,
        detail: `its parameters are ${names}, and one @propID int is needed`,
      },
    ];
  }
  const results = await main
    .query(
      'DECLARE @propID int = ISNULL((SELECT MAX(propID) FROM dbo.tObjProperties), 0); EXEC dbo.pStructureObjectInfoGet @propID = @propID;',
    )
    .catch(failureNumber);
  if (typeof results === 'number')
    return [{ state: 'different', ...finding, detail: `a call failed with SQL error ${results}` }];
  const names = new Set(results[0]?.columns.map((column) => column.name));
  const lacking = infoColumns.filter((column) => column !== 'moduleID' && !names.has(column));
  return lacking.map((column) => ({
    state: 'different',
    ...finding,
    detail: `its result has no column ${column}`,
  }));
}

function failureNumber(error: unknown): number {
  if (error instanceof SqlFailure) return error.number;
  throw error;
}

/** Checks that the numbers of OBJECT_TYPES are those of objects that there are. A database without objects says nothing. */
export async function checkTypes(main: Database, config: Config): Promise<Finding[]> {
  const [found] = await main.query(
    'SELECT typeID, COUNT(*) AS objects FROM dbo.tObjProperties GROUP BY typeID ORDER BY typeID;',
  );
  const counts = new Map(rowsOf(found).map((row) => [Number(row['typeID']), Number(row['objects'])]));
  if (counts.size === 0) return [];
  const types = Object.entries(config.OBJECT_TYPES);
  const finding = {
    database: 'main',
    what: `types of objects (OBJECT_TYPES ${types.map(([name, number]) => `${name}=${number}`).join(',')})`,
  } as const;
  if (types.some(([, number]) => counts.has(number))) return [{ state: 'found', ...finding }];
  const there = [...counts].map(([number, count]) => `${number} (${count})`).join(', ');
  return [
    { state: 'different', ...finding, detail: `no object has one of them; tObjProperties has ${there}` },
  ];
}

const registered = `
SELECT DISTINCT customDataIdentifier COLLATE Latin1_General_BIN2 AS identifier, kind COLLATE Latin1_General_BIN2 AS kind
FROM dbo.tCustomData WHERE kind <> 'JSON'
UNION SELECT customDataIdentifier COLLATE Latin1_General_BIN2, kind COLLATE Latin1_General_BIN2 FROM dbo.tCustomDataTypes
ORDER BY identifier;`;

/** Checks that every registered source of custom data exists: a procedure or view to read, and of REF a procedure to write. */
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
    if (lacking.length === 0) return [{ state: 'found', database: 'customization', what }];
    return lacking.map((detail) => ({ state: 'missing', database: 'customization', what, detail }));
  });
}

function toSources(found: ResultSet | undefined) {
  return rowsOf(found).map((row) => ({
    identifier: text(row, 'identifier'),
    kind: text(row, 'kind').toUpperCase(),
  }));
}
