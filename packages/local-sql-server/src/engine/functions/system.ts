/** System and catalog functions. */

import { type CatalogObject, constraintsOf, type Module, sameName, type Table } from '../catalog.ts';
import { codeOfObject } from '../modules.ts';
import type { SqlType, SqlValue } from '../session.ts';
import { int, nvarchar, serverCollation, sysname, typeIds, varchar } from '../types.ts';
import { maximumLength } from './data-length.ts';
import { type FunctionContext, type FunctionLibrary, type ScalarFunction, scalar } from './definition.ts';

const smallint: SqlType = { name: 'smallint' };
const identityType: SqlType = { name: 'decimal', precision: 38, scale: 0 };

/** A function without parameters. */
export function fact(
  returns: SqlType,
  read: (context: FunctionContext) => SqlValue,
  neverNull = false,
): ScalarFunction {
  return { parameters: [], returns, neverNull, run: read };
}

function identityText(value: bigint | null): string | null {
  return value === null ? null : String(value);
}

/** The parts of a name as OBJECT_ID takes it: `dbo.[my table]`. */
export function splitName(text: string): string[] {
  const parts = text.match(/\[(?:[^\]]|\]\])*\]|"(?:[^"]|"")*"|[^.[\]"]+|(?<=\.)(?=\.)/g) ?? [];
  return parts.map((part) =>
    part.startsWith('[')
      ? part.slice(1, -1).replaceAll(']]', ']')
      : part.startsWith('"')
        ? part.slice(1, -1).replaceAll('""', '"')
        : part.trim(),
  );
}

/** The id of an object or constraint by its name, as the user sees it unless another catalog is given. */
export function objectId(
  context: FunctionContext,
  text: string,
  type?: string,
  catalog = context.catalog,
): number | null {
  const parts = splitName(text);
  const name = parts.at(-1) ?? '';
  const database = parts.at(-3);
  if (name.startsWith('#')) return context.temporaryTableId(name);
  if (database && !sameName(database, context.database)) return null;
  const schema = parts.at(-2) || 'dbo';
  const object = catalog.find(schema, name);
  const wanted = type?.trim().toUpperCase();
  if (object && (wanted === undefined || codeOfObject(object)[0].trim() === wanted)) return object.id;
  const owner = catalog.constraintOwner(schema, name);
  const constraint = owner && constraintsOf(owner).find((candidate) => sameName(candidate.name, name));
  return constraint && (wanted === undefined || constraint.type.trim() === wanted) ? constraint.id : null;
}

function tableOf(context: FunctionContext, name: SqlValue): Table | undefined {
  const id = objectId(context, String(name));
  const object = id === null ? undefined : context.catalog.byId(id);
  return object?.kind === 'table' ? object : undefined;
}

/** Functions and global variables about the server, the session, the error being handled and the catalog. */
export const systemFunctions: FunctionLibrary = {
  '@@ROWCOUNT': fact(int, (context) => context.rowCount, true),
  ROWCOUNT_BIG: fact({ name: 'bigint' }, (context) => BigInt(context.rowCount), true),
  '@@TRANCOUNT': fact(int, (context) => context.transaction.count, true),
  '@@ERROR': fact(int, (context) => context.lastErrorNumber, true),
  '@@IDENTITY': fact(identityType, (context) => identityText(context.identities.last)),
  '@@SPID': fact(smallint, (context) => context.processId, true),
  '@@NESTLEVEL': fact(int, (context) => context.frame.level, true),
  '@@PROCID': fact(int, (context) => context.frame.procedure?.id ?? 0, true),
  '@@LOCK_TIMEOUT': fact(int, (context) => context.transaction.lockTimeout, true),
  '@@DATEFIRST': fact({ name: 'tinyint' }, () => 7, true),
  '@@LANGUAGE': fact(sysname, () => 'us_english', true),
  '@@MAX_PRECISION': fact({ name: 'tinyint' }, () => 38, true),
  '@@SERVERNAME': fact(sysname, () => 'local'),
  '@@SERVICENAME': fact(sysname, () => 'MSSQLSERVER'),
  '@@VERSION': fact(
    nvarchar(300),
    () => 'Local SQL Server for development (TDS 7.4, T-SQL subset); not Microsoft SQL Server',
    true,
  ),
  CURRENT_TRANSACTION_ID: fact({ name: 'bigint' }, ({ transaction }) => transaction.id, true),
  XACT_STATE: fact(
    smallint,
    ({ transaction }) => (transaction.count === 0 ? 0 : transaction.doomed ? -1 : 1),
    true,
  ),
  SCOPE_IDENTITY: fact(identityType, (context) => identityText(context.frame.scopeIdentity)),
  IDENT_CURRENT: scalar([sysname], identityType, (context, [name = null]) => {
    const table = tableOf(context, name);
    return table ? identityText(context.currentIdentity(table.id)) : null;
  }),
  ERROR_NUMBER: fact(int, ({ caughtError }) => caughtError?.number ?? null),
  ERROR_SEVERITY: fact(int, ({ caughtError }) => caughtError?.class ?? null),
  ERROR_STATE: fact(int, ({ caughtError }) => caughtError?.state ?? null),
  ERROR_LINE: fact(int, ({ caughtError }) => caughtError?.line ?? null),
  ERROR_MESSAGE: fact(nvarchar(4000), ({ caughtError }) => caughtError?.message ?? null),
  ERROR_PROCEDURE: fact(sysname, ({ caughtError }) => caughtError?.procedure ?? null),
  DB_NAME: {
    parameters: [int],
    optional: 1,
    returns: sysname,
    run: (context, [id]) =>
      id === undefined ? context.database : (databaseNames(context)[Number(id) - 1] ?? null),
  },
  DB_ID: {
    parameters: [sysname],
    optional: 1,
    returns: smallint,
    run: (context, [name]) => {
      const wanted = name === undefined ? context.database : String(name);
      const index = databaseNames(context).findIndex((database) => sameName(database, wanted));
      return index < 0 ? null : index + 1;
    },
  },
  OBJECT_ID: {
    parameters: [nvarchar(776), varchar(10)],
    optional: 1,
    returns: int,
    run: (context, [name, type]) =>
      objectId(context, String(name), type === undefined ? undefined : String(type)),
  },
  OBJECT_NAME: scalar([int], sysname, ({ catalog }, [id]) => catalog.byId(Number(id))?.name ?? null),
  OBJECT_SCHEMA_NAME: scalar([int], sysname, ({ catalog }, [id]) => catalog.byId(Number(id))?.schema ?? null),
  COL_NAME: scalar([int, int], sysname, ({ catalog }, [id, column]) => {
    const object = catalog.byId(Number(id));
    const columns = object?.kind === 'table' ? object.columns : [];
    return columns.find((candidate) => candidate.id === Number(column))?.name ?? null;
  }),
  OBJECT_DEFINITION: scalar([int], nvarchar('max'), (context, [id]) => {
    const object = context.catalog.byId(Number(id));
    return object && object.kind !== 'table' ? shownText(context, object) : null;
  }),
  OBJECTPROPERTY: scalar([int, varchar(128)], int, ({ catalog }, [id, name]) =>
    objectProperty(catalog.byId(Number(id)), String(name)),
  ),
  COLUMNPROPERTY: scalar([int, sysname, varchar(128)], int, ({ catalog }, [id, column, name]) =>
    columnProperty(catalog.byId(Number(id)), String(column), String(name)),
  ),
  IDENT_SEED: scalar(
    [sysname],
    identityType,
    (context, [name = null]) => identityOf(context, name)?.seed ?? null,
  ),
  IDENT_INCR: scalar(
    [sysname],
    identityType,
    (context, [name = null]) => identityOf(context, name)?.increment ?? null,
  ),
  TYPE_ID: scalar([sysname], int, (_, [name]) => typeIds.get(String(name).toLowerCase()) ?? null),
  SESSIONPROPERTY: scalar([varchar(128)], int, ({ options }, [name]) => {
    const value = options.get(String(name).toUpperCase());
    return value === undefined ? null : Number(value === 'ON');
  }),
  COL_LENGTH: scalar([nvarchar(776), sysname], smallint, (context, [name = null, column]) => {
    const found = tableOf(context, name)?.columns.find((candidate) =>
      sameName(candidate.name, String(column)),
    );
    return found ? maximumLength(found.type) : null;
  }),
  SCHEMA_ID: {
    parameters: [sysname],
    optional: 1,
    returns: int,
    run: ({ catalog }, [name]) => catalog.schema(name === undefined ? 'dbo' : String(name))?.id ?? null,
  },
  SCHEMA_NAME: {
    parameters: [int],
    optional: 1,
    returns: sysname,
    run: ({ catalog }, [id]) =>
      id === undefined ? 'dbo' : (catalog.schemas.find((schema) => schema.id === Number(id))?.name ?? null),
  },
  TYPE_NAME: { parameters: [int], returns: sysname, run: (_, [id]) => typeNameOf(Number(id)) },
  SUSER_SNAME: fact(sysname, ({ login }) => login.user),
  SUSER_NAME: fact(sysname, ({ login }) => login.user),
  ORIGINAL_LOGIN: fact(sysname, ({ login }) => login.user),
  SYSTEM_USER: fact(sysname, ({ login }) => login.user),
  APP_NAME: fact(nvarchar(128), ({ login }) => login.application),
  HOST_NAME: fact(nvarchar(128), () => 'localhost'),
  DATABASEPROPERTYEX: {
    parameters: [sysname, varchar(128)],
    returns: nvarchar(128),
    run: (context, [name, property]) => {
      const isThere = databaseNames(context).some((database) => sameName(database, String(name)));
      if (!isThere) return null;
      if (String(property).toLowerCase() === 'collation') return context.collationOf(String(name));
      return databaseProperties[String(property).toLowerCase()] ?? null;
    },
  },
  SERVERPROPERTY: {
    parameters: [varchar(128)],
    // A sql_variant on SQL Server: clients want a number where the property is one.
    returns: ([name]) => (name?.sql.toLowerCase() === "'engineedition'" ? int : nvarchar(128)),
    run: (_, [name]) => serverProperties[String(name).toLowerCase()] ?? null,
  },
  ASSEMBLYPROPERTY: scalar([sysname, varchar(128)], nvarchar(128), () => null),
  NEWID: {
    parameters: [],
    returns: { name: 'uniqueidentifier' },
    neverNull: true,
    volatile: true,
    run: () => crypto.randomUUID().toUpperCase(),
  },
};

const databaseProperties: Readonly<Record<string, string>> = {
  status: 'ONLINE',
  updateability: 'READ_WRITE',
  recovery: 'FULL',
  useraccess: 'MULTI_USER',
};

function identityOf(context: FunctionContext, name: SqlValue) {
  return tableOf(context, name)?.columns.find(({ identity }) => identity)?.identity;
}

/** What OBJECTPROPERTY says; NULL for a property that is not known. */
function objectProperty(object: CatalogObject | undefined, name: string): number | null {
  if (!object) return null;
  const isTable = object.kind === 'table';
  const facts: Readonly<Record<string, boolean>> = {
    istable: isTable,
    isusertable: isTable,
    isview: object.kind === 'view',
    isprocedure: object.kind === 'procedure',
    isscalarfunction: codeOfObject(object)[0] === 'FN',
    isinlinefunction: codeOfObject(object)[0] === 'IF',
    istablefunction: codeOfObject(object)[0] === 'IF',
    ismsshipped: false,
    tablehasprimarykey: isTable && object.keys.some(({ form }) => form === 'PRIMARY KEY'),
    tablehasidentity: isTable && object.columns.some(({ identity }) => identity),
    tablehasforeignkey: isTable && object.foreignKeys.length > 0,
  };
  const fact = facts[name.toLowerCase()];
  return fact === undefined ? null : Number(fact);
}

function columnProperty(object: CatalogObject | undefined, column: string, name: string): number | null {
  const found =
    object?.kind === 'table' ? object.columns.find((other) => sameName(other.name, column)) : undefined;
  if (!found) return null;
  const { precision = null, scale = null } = found.type as { precision?: number; scale?: number };
  const facts: Readonly<Record<string, number | null>> = {
    allowsnull: Number(found.nullable),
    isidentity: Number(found.identity !== undefined),
    iscomputed: Number(found.computed !== undefined),
    columnid: found.id,
    ordinal: found.id,
    precision,
    scale,
  };
  return facts[name.toLowerCase()] ?? null;
}

/** The text of a view or procedure, for callers who may see definitions. */
export function shownText(context: FunctionContext, { id, text }: Module): string | null {
  return context.may('VIEW DEFINITION', { on: 'OBJECT', id }) ? text : null;
}

function typeNameOf(id: number): string | null {
  if (id === 189) return 'timestamp';
  return id === 256 ? 'sysname' : ([...typeIds].find(([, typeId]) => typeId === id)?.[0] ?? null);
}

/** What a server of the subset says of itself; the edition is Azure SQL's, so that clients expect its defaults. */
const serverProperties: Readonly<Record<string, string | number>> = {
  productversion: '16.0.1000.6',
  productlevel: 'RTM',
  edition: 'Developer Edition (64-bit)',
  engineedition: 3,
  servername: 'local',
  collation: serverCollation,
};

/** The databases in the order of their ids. */
export function databaseNames({ databases }: FunctionContext): readonly string[] {
  return ['master', ...databases.filter((name) => name.toLowerCase() !== 'master')];
}
