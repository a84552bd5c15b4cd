/** The contract of the service with its databases, which infra/database/README.md describes. */

import {
  bindingRights,
  creationRights,
  keptCreationRights,
  metadataRights,
  neededRights,
  type Right,
  viewRights,
} from '../../functions/records/database/rights.ts';
import { bkTypeOf } from '../../functions/records/objects/bk-fields.ts';
import { columnsOf, searchTypeOf } from '../../functions/records/objects/fields.ts';
import { asView, type ObjectKind, objectKinds } from '../../functions/records/objects/kinds.ts';
import type { Config } from '../../shared/config.ts';
import { keptLength } from '../../shared/idempotency-key.ts';
import type { DatabaseKind } from '../migrate/scripts.ts';

/** The type of a column that the service reads or writes. */
export interface ColumnType {
  /** Names of allowed SQL Server types, the usual type first. */
  readonly types: readonly string[];
  /** Minimum length in characters of a text that the service writes; `max` for any length. */
  readonly length?: number | 'max';
}

export interface Requirement {
  readonly database: DatabaseKind;
  readonly name: string;
  /** `rows`: a table or a view. */
  readonly form: 'rows' | 'table' | 'view' | 'procedure';
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Columns that it may lack; those that it has are of these types. */
  readonly optionalColumns?: Readonly<Record<string, ColumnType>>;
  readonly rights: readonly Right[];
  /** The remedy for a missing object. */
  readonly remedy: string;
}

const integer: ColumnType = { types: ['int', 'smallint', 'tinyint'] };
const text: ColumnType = { types: ['nvarchar', 'varchar'] };
const migrate = 'run "npm run migrate"';

/** An example of the view that a customer creates over existing tables. */
export const exampleView = `CREATE VIEW dbo.vServiceUsers AS
SELECT u.usrPropID, u.account, p.name, p.email, u.langID FROM dbo.tUserSettings u LEFT JOIN <table of persons> p ON ...;`;

const commonRequirements: readonly Requirement[] = [
  {
    database: 'main',
    name: 'vServiceUsers',
    form: 'rows',
    columns: { usrPropID: integer, account: text, name: text, email: text, langID: integer },
    rights: neededRights.main.vServiceUsers,
    remedy: 'create this view over the tables of the product',
  },
  {
    database: 'main',
    name: 'tObjProperties',
    form: 'rows',
    columns: { propID: integer, objectID: text, typeID: integer },
    rights: neededRights.main.tObjProperties,
    remedy: 'it is a table of the product: is DB_NAME its main database?',
  },
  {
    database: 'main',
    name: 'pStructureObjectInfoGet',
    form: 'procedure',
    columns: {},
    rights: neededRights.main.pStructureObjectInfoGet,
    remedy: 'install it (docs/records-contract.md, "What the databases must have")',
  },
  ...(['main', 'customization'] as const).map(
    (database): Requirement => ({
      database,
      name: 'tSchemaJournal',
      form: 'rows',
      columns: { script: text, digest: text },
      rights: neededRights[database].tSchemaJournal,
      remedy: migrate,
    }),
  ),
  {
    database: 'customization',
    name: 'tCustomData',
    form: 'table',
    columns: {
      propID: { types: ['int'] },
      customDataIdentifier: { ...text, length: 128 },
      kind: { ...text, length: 6 },
      customData: { types: ['nvarchar'], length: 'max' },
    },
    rights: neededRights.customization.tCustomData,
    remedy: migrate,
  },
  {
    database: 'customization',
    name: 'tCustomDataVersions',
    form: 'table',
    columns: {
      propID: { types: ['int'] },
      version: { types: ['int'] },
      change: { types: ['bigint'] },
      changedBy: { types: ['int'] },
      changedAt: { types: ['datetime2'] },
    },
    rights: neededRights.customization.tCustomDataVersions,
    remedy: migrate,
  },
  {
    database: 'customization',
    name: 'tCustomDataTypes',
    form: 'rows',
    columns: { typeID: integer, customDataIdentifier: text, kind: text, shape: text },
    rights: neededRights.customization.tCustomDataTypes,
    remedy: migrate,
  },
  {
    database: 'customization',
    name: 'tFieldLabels',
    form: 'rows',
    columns: { typeID: integer, field: text, langID: integer, label: text },
    rights: neededRights.customization.tFieldLabels,
    remedy: migrate,
  },
];

/** Returns the requirements of an app. Tables of object kinds are required only with OBJECT_METADATA, the table of bindings only with BIND_USERS. */
export function requirements(config: Pick<Config, 'OBJECT_METADATA' | 'BIND_USERS'>): Requirement[] {
  const metadata: readonly string[] = config.OBJECT_METADATA;
  const kinds = Object.values(objectKinds).filter(({ collection }) => metadata.includes(collection));
  return [
    ...commonRequirements,
    ...(config.BIND_USERS ? [bindings] : []),
    ...(kinds.length === 0 ? [] : [creation, keptCreations]),
    ...kinds.map(tableOf),
    ...viewKinds(config).map(viewOf),
  ];
}

/** Returns the kinds whose metadata is read from a view. */
export function viewKinds({ OBJECT_METADATA }: Pick<Config, 'OBJECT_METADATA'>): ObjectKind[] {
  const metadata: readonly string[] = OBJECT_METADATA;
  return Object.values(objectKinds)
    .filter(({ collection }) => metadata.includes(`${collection}=view`))
    .map(asView);
}

/** The table of the setting BIND_USERS. */
const bindings: Requirement = {
  database: 'customization',
  name: 'tUserBindings',
  form: 'table',
  columns: { usrPropID: { types: ['int'] }, objectId: { ...text, length: 128 } },
  rights: bindingRights,
  remedy: migrate,
};

/** The service also creates objects in tObjProperties. */
const creation: Requirement = {
  database: 'main',
  name: 'tObjProperties',
  form: 'table',
  columns: { moduleID: integer },
  rights: creationRights,
  remedy: 'without it, leave all kinds out of OBJECT_METADATA',
};

/** POST with an Idempotency-Key keeps there what it has created. */
const keptCreations: Requirement = {
  database: 'main',
  name: 'tObjectCreations',
  form: 'table',
  columns: {
    creationKey: { ...text, length: keptLength },
    body: { ...text, length: keptLength },
    propID: { types: ['int'] },
    createdAt: { types: ['datetime2'] },
  },
  rights: keptCreationRights,
  remedy: 'create it as infra/database/main/150-object-creations.sql does',
};

function tableOf(kind: ObjectKind): Requirement {
  const fields = columnsOf(kind).map((name) => [name, columnType(name)] as const);
  const parent = kind.parent === undefined ? {} : { parentPropID: { types: ['int'] } };
  const moment = { types: ['datetime2'] };
  const ownColumns = { version: { types: ['int'] }, createdAt: moment, updatedAt: moment };
  return {
    database: 'main',
    name: kind.table,
    form: 'table',
    columns: { propID: { types: ['int'] }, ...parent, ...Object.fromEntries(fields), ...ownColumns },
    rights: metadataRights,
    remedy: `leave ${kind.collection} out of OBJECT_METADATA`,
  };
}

/** The types that the service reads without a conversion, or converts without a loss. */
const typesOfViews: Readonly<Record<string, readonly string[]>> = {
  Str: [...text.types, 'nchar', 'char', 'uniqueidentifier', ...integer.types, 'bigint'],
  Int: [...integer.types, 'bit'],
  Date: ['date', 'datetime2', 'datetime', 'smalldatetime'],
  Float: ['float', 'real', 'decimal', 'numeric', 'money', 'smallmoney', ...integer.types],
};

function viewOf(kind: ObjectKind): Requirement {
  const ofType = (type: string): ColumnType => ({ types: typesOfViews[type] ?? [] });
  const fields = columnsOf(kind).map((name) => [name, ofType(searchTypeOf(name) ?? 'Str')] as const);
  const moment = { types: ['datetime2', 'datetime', 'smalldatetime', 'datetimeoffset', 'date'] };
  const { title = ofType('Str'), ...optional } = Object.fromEntries(fields);
  return {
    database: 'main',
    name: kind.table,
    form: 'view',
    columns: { objectID: ofType('Str'), title },
    optionalColumns: {
      ...(kind.parent === undefined ? {} : { parentID: ofType('Str') }),
      ...optional,
      createdAt: moment,
      updatedAt: moment,
    },
    rights: viewRights,
    remedy: `create this view over the tables of the product, or leave ${kind.collection}=view out of OBJECT_METADATA`,
  };
}

function columnType(name: string): ColumnType {
  switch (bkTypeOf(name)) {
    case 'Int':
      return { types: ['int'] };
    case 'Date':
      return { types: ['date'] };
    case 'Float':
      return { types: ['float'] };
    case 'Str':
      return { types: ['nvarchar'], length: 255 };
    default:
      return name === 'year' ? { types: ['int'] } : { types: ['nvarchar'] };
  }
}
