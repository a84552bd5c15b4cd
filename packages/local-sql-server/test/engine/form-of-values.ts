/** Checks that values have the form of their columns. */
import type { Column, Event, SqlType, SqlValue } from '../../src/engine/session.ts';

const wholeNumbers: Readonly<Record<string, readonly [low: number, high: number]>> = {
  bit: [0, 1],
  tinyint: [0, 255],
  smallint: [-32_768, 32_767],
  int: [-2_147_483_648, 2_147_483_647],
};

/** Collects the faults in the rows of a request: values without the form that `SqlValue` gives to the type of their column. */
export class FormOfValues {
  readonly problems: string[] = [];
  #columns: readonly Column[] = [];

  see(event: Event): void {
    if (event.kind === 'columns') this.#columns = event.columns;
    if (event.kind === 'returnValue' && !isOfType(event.value, event.type))
      this.#report(event.name, event.type, event.value);
    if (event.kind !== 'row') return;
    if (event.values.length !== this.#columns.length)
      this.problems.push(`${event.values.length} values for ${this.#columns.length} columns`);
    event.values.forEach((value, index) => {
      const column = this.#columns[index];
      if (!column) return;
      const isFitting = value === null ? column.nullable : isOfType(value, column.type);
      if (!isFitting) this.#report(`${index + 1} ${column.name}`, column.type, value);
    });
  }

  #report(column: string, type: SqlType, value: SqlValue): void {
    this.problems.push(`Column ${column} of ${JSON.stringify(type)} has ${typeof value} ${String(value)}`);
  }
}

function isOfType(value: SqlValue, type: SqlType): boolean {
  if (value === null) return true;
  const range = wholeNumbers[type.name];
  if (range) return Number.isInteger(value) && Number(value) >= range[0] && Number(value) <= range[1];
  switch (type.name) {
    case 'bigint':
      return typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
    case 'float':
      return typeof value === 'number' && Number.isFinite(value);
    case 'real':
      return typeof value === 'number' && Math.fround(value) === value && Number.isFinite(value);
    case 'binary':
    case 'varbinary':
      return value instanceof Uint8Array && hasSize(value.length, type);
    case 'char':
    case 'varchar':
    case 'nchar':
    case 'nvarchar':
      return typeof value === 'string' && hasSize(value.length, type);
    default:
      return typeof value === 'string' && formOf(type).test(value);
  }
}

function hasSize(size: number, type: { readonly name: string; readonly length: number | 'max' }): boolean {
  if (type.length === 'max') return true;
  return type.name.includes('var') ? size <= type.length : size === type.length;
}

function formOf(type: SqlType): RegExp {
  const fraction = 'scale' in type && type.scale ? `\\.\\d{${type.scale}}` : '';
  const day = '\\d{4}-\\d\\d-\\d\\d';
  const clock = `\\d\\d:\\d\\d:\\d\\d`;
  const forms: Readonly<Record<string, string>> = {
    decimal: `-?\\d{1,${'precision' in type ? Math.max(type.precision - type.scale, 1) : 1}}${fraction}`,
    money: '-?\\d{1,15}\\.\\d{4}',
    smallmoney: '-?\\d{1,6}\\.\\d{4}',
    uniqueidentifier: '[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}',
    date: day,
    time: `${clock}${fraction}`,
    smalldatetime: `${day} ${clock}`,
    datetime: `${day} ${clock}\\.\\d{3}`,
    datetime2: `${day} ${clock}${fraction}`,
    datetimeoffset: `${day} ${clock}${fraction} [+-]\\d\\d:\\d\\d`,
  };
  return new RegExp(`^${forms[type.name]}$`);
}
