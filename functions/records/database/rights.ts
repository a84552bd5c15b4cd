/** The rights that the service needs in its databases, and whether its user has them. */

import type { Database } from '../../../shared/sql/database.ts';
import { contractBroken } from '../../../shared/sql/database-contract.ts';
import type { Databases } from '../../../shared/sql/databases.ts';
import { rowsOf } from '../../../shared/sql/values.ts';

export type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'EXECUTE';

/** By name of the object, in schema dbo. */
type Rights = Readonly<Record<string, readonly Right[]>>;

/** What every installation needs. */
export const neededRights = {
  main: {
    vServiceUsers: ['SELECT'],
    tObjProperties: ['SELECT'],
    pStructureObjectInfoGet: ['EXECUTE'],
    tSchemaJournal: ['SELECT'],
  },
  customization: {
    tSchemaJournal: ['SELECT'],
    tCustomData: ['SELECT', 'INSERT', 'DELETE'],
    tCustomDataVersions: ['SELECT', 'INSERT', 'UPDATE'],
    tCustomDataTypes: ['SELECT'],
    tFieldLabels: ['SELECT'],
  },
} as const satisfies Readonly<Record<keyof Databases, Rights>>;

/** The error that a statement without its right gets. */
const permissionDenied = 229;

/** On the tables of kinds whose metadata is served, and with them on tObjProperties. */
export const metadataRights = ['SELECT', 'INSERT', 'UPDATE'] as const;
export const creationRights = ['INSERT'] as const;

/** On tObjectCreations, with the tables of kinds. */
export const keptCreationRights = ['SELECT', 'INSERT', 'UPDATE'] as const;

/** On tUserBindings, where users are bound. */
export const bindingRights = ['SELECT', 'INSERT'] as const;

/** On the views of kinds whose metadata is served from the tables of an existing product. */
export const viewRights = ['SELECT'] as const;

/** Throws `database-contract` with the first right that the service's user lacks. `kinds` are those whose metadata is served. */
export async function checkRights(
  { main, customization }: Databases,
  kinds: readonly { readonly table: string; readonly isView?: true }[],
  bindsUsers: boolean,
): Promise<void> {
  const { tObjProperties } = neededRights.main;
  const creates = kinds.some(({ isView }) => !isView);
  const ofKinds: Rights = {
    ...(creates
      ? { tObjProperties: [...tObjProperties, ...creationRights], tObjectCreations: keptCreationRights }
      : {}),
    ...Object.fromEntries(kinds.map(({ table, isView }) => [table, isView ? viewRights : metadataRights])),
  };
  await Promise.all([
    checkIn(main, { ...neededRights.main, ...ofKinds }),
    checkIn(customization, {
      ...neededRights.customization,
      ...(bindsUsers ? { tUserBindings: bindingRights } : {}),
    }),
  ]);
}

/** A missing object gives NULL; the statements that use it report it. */
async function checkIn(database: Database, rights: Rights): Promise<void> {
  const needed = Object.entries(rights).flatMap(([object, names]) =>
    names.map((right) => ({ object, right })),
  );
  const columns = needed.map(
    ({ object, right }, index) => `HAS_PERMS_BY_NAME(N'dbo.${object}', N'OBJECT', N'${right}') AS r${index}`,
  );
  const [found] = await database.query(`SELECT ${columns.join(', ')};`, {}, { name: 'check rights' });
  const [row = {}] = rowsOf(found);
  const lacking = needed.find((_, index) => row[`r${index}`] === 0);
  if (lacking === undefined) return;
  const facts = { number: permissionDenied };
  throw contractBroken(`the right to ${lacking.right} ${lacking.object} is missing`, { facts });
}
