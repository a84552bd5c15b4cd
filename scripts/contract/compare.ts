/** Compares a requirement with the catalog. */

import { foldCase } from '../../shared/text/fold-case.ts';
import type { CatalogColumn, CatalogObject } from './catalog.ts';
import type { Finding } from './findings.ts';
import type { ColumnType, Requirement } from './requirements.ts';

/** Returns the findings about an object and its columns; one finding for a missing object. */
export function compare(
  requirement: Requirement,
  object: CatalogObject | undefined,
  isCaseSensitive = false,
): Finding[] {
  const { database, name, form, remedy } = requirement;
  const expectedForm = form === 'rows' ? 'table or view' : form;
  if (object === undefined)
    return [{ state: 'missing', database, what: `${expectedForm} ${name}`, detail: remedy }];
  const hasForm = form === 'rows' ? ['table', 'view'].includes(object.form) : object.form === form;
  const what = `${object.form} ${name}`;
  if (!hasForm) return [{ state: 'different', database, what, detail: `a ${expectedForm} is needed` }];
  if (isCaseSensitive && object.name !== name)
    return [{ state: 'different', database, what, detail: caseDetail(object.name) }];
  return [{ state: 'found', database, what }, ...columnFindings(requirement, object, isCaseSensitive)];
}

/** Returns the detail of a name in different case in a case-sensitive database. */
function caseDetail(name: string): string {
  return `it is called ${name}, and this database tells names apart by case`;
}

function columnFindings(
  { database, name, form, columns, optionalColumns = {}, rights }: Requirement,
  object: CatalogObject,
  isCaseSensitive: boolean,
): Finding[] {
  const byName = new Map(object.columns.map((column) => [foldCase(column.name), column]));
  const optional = Object.entries(optionalColumns).filter(([column]) => byName.has(foldCase(column)));
  const expectedColumns = [...Object.entries(columns), ...optional].map(([column, type]): Finding => {
    const what = `column ${column} of ${name}`;
    const candidate = byName.get(foldCase(column));
    if (candidate === undefined)
      return { state: 'missing', database, what, detail: `${typeText(type)} is needed` };
    if (isCaseSensitive && candidate.name !== column)
      return { state: 'different', database, what, detail: caseDetail(candidate.name) };
    if (fits(candidate, type)) return { state: 'found', database, what };
    return {
      state: 'different',
      database,
      what,
      detail: `it is ${typeName(candidate)}, and ${typeText(type)} is needed`,
    };
  });
  const hasInserts = form === 'table' && rights.includes('INSERT') && Object.keys(columns).length > 1;
  return [...expectedColumns, ...(hasInserts ? unknownColumns(database, name, columns, object) : [])];
}

/** Returns findings about further columns without a default, since the service cannot insert a row. */
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

function fits(column: CatalogColumn, { types, length = 0 }: ColumnType): boolean {
  if (!types.includes(column.type)) return false;
  return (
    column.length === undefined || column.length === 'max' || (length !== 'max' && column.length >= length)
  );
}

function typeName({ type, length }: CatalogColumn): string {
  return length === undefined ? type : `${type}(${length})`;
}

function typeText({ types, length }: ColumnType): string {
  return length === undefined ? `${types[0]}` : `${types[0]}(${length})`;
}
