/** Checks the parts of the contract that need a query of data or a call. */

import { Users } from '../../functions/records/users/users.ts';
import type { Config } from '../../shared/config.ts';
import { isCodedError } from '../../shared/errors.ts';
import type { Database } from '../../shared/sql/database.ts';
import { SqlFailure } from '../../shared/sql/failure.ts';
import { integer, rowsOf, text } from '../../shared/sql/values.ts';
import { foldCase } from '../../shared/text/fold-case.ts';
import type { CatalogObject } from './catalog.ts';
import type { Finding } from './findings.ts';

/** Checks that the service's own account is among the users. */
export async function checkAccount(main: Database, config: Config): Promise<Finding[]> {
  const what = `account ${config.SERVICE_API_USERNAME} (SERVICE_API_USERNAME) in vServiceUsers`;
  const finding = { database: 'main', what } as const;
  try {
    await new Users(() => config.SERVICE_API_USERNAME).service(main);
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
  const missingColumns = infoColumns.filter((column) => column !== 'moduleID' && !names.has(column));
  return missingColumns.map((column) => ({
    state: 'different',
    ...finding,
    detail: `its result has no column ${column}`,
  }));
}

function failureNumber(error: unknown): number {
  if (error instanceof SqlFailure) return error.number;
  throw error;
}

/** Checks that an object has one of the numbers of OBJECT_TYPES. Returns no findings for a database without objects. */
export async function checkTypes(main: Database, config: Config): Promise<Finding[]> {
  const [result] = await main.query(
    'SELECT typeID, COUNT(*) AS objects FROM dbo.tObjProperties GROUP BY typeID ORDER BY typeID;',
  );
  const counts = new Map(rowsOf(result).map((row) => [Number(row['typeID']), Number(row['objects'])]));
  if (counts.size === 0) return [];
  const types = Object.entries(config.OBJECT_TYPES);
  const finding = {
    database: 'main',
    what: `types of objects (OBJECT_TYPES ${types.map(([name, number]) => `${name}=${number}`).join(',')})`,
  } as const;
  if (types.some(([, number]) => counts.has(number))) return [{ state: 'found', ...finding }];
  const typeList = [...counts].map(([number, count]) => `${number} (${count})`).join(', ');
  return [
    { state: 'different', ...finding, detail: `no object has one of them; tObjProperties has ${typeList}` },
  ];
}

/** Groups by a collation in which all addresses are equal that the service treats as equal, and possibly more. */
const sharedAddresses = `
SELECT usrPropID, email FROM dbo.vServiceUsers WHERE email COLLATE Latin1_General_100_CI_AS IN (
    SELECT email COLLATE Latin1_General_100_CI_AS FROM dbo.vServiceUsers WHERE email IS NOT NULL
    GROUP BY email COLLATE Latin1_General_100_CI_AS HAVING COUNT(*) > 1)
ORDER BY usrPropID;`;

/** Checks that no e-mail address belongs to two accounts, neither of which could sign in. */
export async function checkUsers(main: Database): Promise<Finding[]> {
  const [result] = await main.query(sharedAddresses);
  const accounts = Map.groupBy(rowsOf(result), (row) => foldCase(text(row, 'email')));
  return [...accounts.values()]
    .filter((rows) => rows.length > 1)
    .slice(0, 1)
    .map((rows) => ({
      state: 'different',
      database: 'main',
      what: 'users of vServiceUsers',
      detail: `the accounts ${rows.map((row) => integer(row, 'usrPropID')).join(' and ')} (usrPropID) have one e-mail address, so that neither can sign in`,
    }));
}

/** Checks that an identifier stands for one object. */
export async function checkIdentifiers(main: Database, config: Config): Promise<Finding[]> {
  const numbers = Object.values(config.OBJECT_TYPES);
  if (numbers.length === 0) return [];
  const [result] = await main.query(
    `SELECT TOP (1) MIN(propID) AS first, MAX(propID) AS last FROM dbo.tObjProperties WHERE typeID IN (${numbers.join(', ')})
GROUP BY objectID COLLATE Latin1_General_BIN2 HAVING COUNT(*) > 1 ORDER BY MIN(propID);`,
  );
  return rowsOf(result).map((row) => ({
    state: 'different',
    database: 'main',
    what: 'identifiers of tObjProperties',
    detail: `the objects ${integer(row, 'first')} and ${integer(row, 'last')} (propID) have one objectID, so that only one of them is found`,
  }));
}

/** Checks that no JSON value of custom data is NULL: it is read as null, and none of the service's own writes makes one. */
export async function checkJsonRows(customization: Database): Promise<Finding[]> {
  const [result] = await customization.query(
    `SELECT TOP (1) propID, customDataIdentifier, COUNT(*) OVER () AS amount FROM dbo.tCustomData
WHERE kind = 'JSON' AND customData IS NULL ORDER BY propID, customDataIdentifier;`,
  );
  return rowsOf(result).map((row) => ({
    state: 'different',
    database: 'customization',
    what: 'rows of tCustomData',
    detail: `the JSON value "${text(row, 'customDataIdentifier')}" of the object ${integer(row, 'propID')} (propID) is NULL (${integer(row, 'amount')} in all), and read as null: set customData to N'null'`,
  }));
}
