import type { TypeName } from '../tsql/ast.ts';
import { type SqlError, sqlErrorAt, unsupported } from '../tsql/sql-error.ts';
import type { SqlType } from './session.ts';
import { defaultCollation } from './types.ts';

const plain = new Set([
  'bit',
  'tinyint',
  'smallint',
  'int',
  'bigint',
  'money',
  'smallmoney',
  'date',
  'datetime',
  'smalldatetime',
  'uniqueidentifier',
]);
const synonyms: Readonly<Record<string, string>> = {
  integer: 'int',
  numeric: 'decimal',
  dec: 'decimal',
  character: 'char',
};

/**
 * The type that a type name means. `index` is the ordinal of the column, parameter or variable, for messages.
 * 0 in CAST. `defaultLength` is 1 in definitions and 30 in CAST and CONVERT.
 * Throws 2715 for an unknown name, 2716 or 2717 for sizes that do not fit.
 */
export function resolveType(
  type: TypeName,
  index = 1,
  defaultLength = 1,
  collation = defaultCollation,
): SqlType {
  const name = synonyms[type.name] ?? type.name;
  const [first, second] = type.arguments;
  if (plain.has(name)) return refuseSize(type, index) ?? ({ name } as SqlType);
  switch (name) {
    case 'sysname':
      return { name: 'nvarchar', length: 128, collation };
    case 'real':
      return { name: 'real' };
    case 'float':
      return floatType(type, first);
    case 'decimal':
      return decimalType(type, first ?? 18, second ?? 0);
    case 'time':
    case 'datetime2':
    case 'datetimeoffset':
      return { name, scale: scaleOf(type, first ?? 7) };
    case 'char':
    case 'nchar':
    case 'varchar':
    case 'nvarchar':
      return { name, length: lengthOf(type, name, first ?? defaultLength), collation };
    case 'binary':
    case 'varbinary':
      return { name, length: lengthOf(type, name, first ?? defaultLength) };
    case 'text':
    case 'ntext':
    case 'image':
    case 'xml':
    case 'sql_variant':
    case 'rowversion':
    case 'timestamp':
    case 'geography':
    case 'geometry':
    case 'hierarchyid':
    case 'json':
      throw unsupported(`data type ${name}`, type.at);
    default:
      throw index ? typeError(type, 2715, index, type.name) : typeError(type, 243, type.name);
  }
}

function refuseSize(type: TypeName, index: number): undefined {
  if (type.arguments.length) throw typeError(type, 2716, index, type.name);
  return undefined;
}

function floatType(type: TypeName, bits: number | 'max' | undefined): SqlType {
  if (bits === 'max' || Number(bits ?? 53) > 53 || Number(bits ?? 53) < 1)
    throw tooLarge(type, bits ?? 53, 53);
  return { name: Number(bits ?? 53) <= 24 ? 'real' : 'float' };
}

function decimalType(type: TypeName, precision: number | 'max', scale: number | 'max'): SqlType {
  if (precision === 'max' || precision > 38 || precision < 1) throw tooLarge(type, precision, 38);
  if (scale === 'max' || scale > precision || scale < 0) throw tooLarge(type, scale, precision);
  return { name: 'decimal', precision, scale };
}

function scaleOf(type: TypeName, scale: number | 'max'): number {
  if (scale === 'max' || scale > 7 || scale < 0) throw tooLarge(type, scale, 7);
  return scale;
}

function lengthOf(type: TypeName, name: string, length: number | 'max'): number | 'max' {
  const largest = name.startsWith('n') ? 4000 : 8000;
  if (length === 'max' ? !name.includes('var') : length > largest || length < 1)
    throw tooLarge(type, length, largest);
  return length;
}

function tooLarge(type: TypeName, size: number | 'max', largest: number): SqlError {
  return typeError(type, 2717, size, 'type', type.name, largest);
}

/** A wrong type is found in compiling, so that nothing of the batch runs after it. */
function typeError({ at }: TypeName, number: number, ...values: readonly (string | number)[]): SqlError {
  const error = sqlErrorAt(at, number, ...values);
  error.endsBatch = true;
  return error;
}
