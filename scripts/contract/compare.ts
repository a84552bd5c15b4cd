/** Compares one requirement with what the catalog has. */

import { foldCase } from '../../shared/text/fold-case.ts';
import type { CatalogColumn, CatalogObject } from './catalog.ts';
import type { Finding } from './findings.ts';
import type { ColumnType, Requirement } from './requirements.ts';

/** Returns what is to be said of an object and its columns; of one that is missing, only that. `exact`: the database tells names apart by case. */
export function compare(
  requirement: Requirement,
  object: CatalogObject | undefined,
  exact = false,
): Finding[] {
  const { database, name, form, remedy } = requirement;
  const wanted = form === 'rows' ? 'table or view' : form;
  if (object === undefined)
    return [{ state: 'missing', database, what: `${wanted} ${name}`, detail: remedy }];
  const fits = form === 'rows' ? ['table', 'view'].includes(object.form) : object.form === form;
  const what = `${object.form} ${name}`;
  if (!fits) return [{ state: 'different', database, what, detail: `a ${wanted} is needed` }];
  if (exact && object.name !== name)
    return [{ state: 'different', database, what, detail: otherCase(object.name) }];
  return [{ state: 'found', database, what }, ...columnFindings(requirement, object, exact)];
}

/** What is wrong with a name in a database that tells names apart by case. */
function otherCase(name: string): string {
  return `it is called ${name}, and this database tells names apart by case`;
}

function columnFindings(
  { database, name, form, columns, rights }: Requirement,
  object: CatalogObject,
  exact: boolean,
): Finding[] {
  const byName = new Map(object.columns.map((column) => [foldCase(column.name), column]));
  const needed = Object.entries(columns).map(([column, type]): Finding => {
    const what = `column ${column} of ${name}`;
    const found = byName.get(foldCase(column));
    if (found === undefined)
      return { state: 'missing', database, what, detail: `${written(type)} is needed` };
    if (exact && found.name !== column)
      return { state: 'different', database, what, detail: otherCase(found.name) };
    if (fits(found, type)) return { state: 'found', database, what };
    return {
      state: 'different',
      database,
      what,
      detail: `it is ${typeName(found)}, and ${written(type)} is needed`,
    };
  });
  const inserts = form === 'table' && rights.includes('INSERT') && Object.keys(columns).length > 1;
  return [...needed, ...(inserts ? unknownColumns(database, name, columns, object) : [])];
}

/** Columns that the service knows nothing of, and without which no row can be inserted. */
function unknownColumns(
  database: Requirement['database'],
  name: string,
  columns: Requirement['columns'],
  object: CatalogObject,
): Finding[] {
  const expected = new Set(Object.keys(columns).map(foldCase));
  return object.columns
    .filter(({ name: column, required }) => required && !expected.has(foldCase(column)))
    .map(({ name: column }) => ({
      state: 'different',
      database,
      what: `column ${column} of ${name}`,
      detail: 'the service does not know it, so it must allow NULL or have a default',
    }));
}

function fits(found: CatalogColumn, { types, length = 0 }: ColumnType): boolean {
  if (!types.includes(found.type)) return false;
  return found.length === undefined || found.length === 'max' || (length !== 'max' && found.length >= length);
}

function typeName({ type, length }: CatalogColumn): string {
  return length === undefined ? type : `${type}(${length})`;
}

function written({ types, length }: ColumnType): string {
  return length === undefined ? `${types[0]}` : `${types[0]}(${length})`;
}
