/** The data types that type names mean. */
import type { TypeName } from '../tsql/ast.ts';
import { type SqlError, sqlErrorAt, unsupported } from '../tsql/sql-error.ts';
import type { SqlType } from './session.ts';
import { databaseDefault } from './types.ts';

const plain = new Set(
  'bit tinyint smallint int bigint money smallmoney date datetime smalldatetime uniqueidentifier'.split(' '),
);
const synonyms: Readonly<Record<string, string>> = {
  integer: 'int',
  numeric: 'decimal',
  dec: 'decimal',
  character: 'char',
};

/**
 * The type that a type name means. `index` is the ordinal of the column, parameter or variable, for messages.
 * 0 in CAST. `defaultLength` is 1 in definitions and 30 in CAST and CONVERT.
 * Throws 2715 for an unknown name; 131, 1001, 1002, 2717, 2750 or 2751 for sizes that do not fit.
 */
export function resolveType(
  type: TypeName,
  index = 1,
  defaultLength = 1,
  collation = databaseDefault,
): SqlType {
  const name = synonyms[type.name] ?? type.name;
  const [first, second] = type.arguments;
  if (plain.has(name)) return { name } as SqlType;
  switch (name) {
    case 'sysname':
      return { name: 'nvarchar', length: 128, collation };
    case 'real':
      return { name: 'real' };
    case 'float':
      return floatType(type, index, first ?? 53);
    case 'decimal':
      return decimalType(type, index, first ?? 18, second ?? 0);
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
    case 'rowversion':
    case 'timestamp':
      return { name: 'binary', length: 8 };
    case 'text':
    case 'ntext':
    case 'image':
    case 'xml':
    case 'sql_variant':
    case 'geography':
    case 'geometry':
    case 'hierarchyid':
    case 'json':
      throw unsupported(`data type ${name}`, type.at);
    default:
      throw index ? typeError(type, 2715, index, type.name) : typeError(type, 243, type.name);
  }
}

function floatType(type: TypeName, index: number, bits: number | 'max'): SqlType {
  if (bits === 'max' || bits > 53) throw typeError(type, 2750, index, bits, 53);
  if (bits < 1) throw typeError(type, 1001, type.at.line, bits);
  return { name: bits <= 24 ? 'real' : 'float' };
}

function decimalType(
  type: TypeName,
  index: number,
  precision: number | 'max',
  scale: number | 'max',
): SqlType {
  if (precision === 'max' || precision > 38) throw typeError(type, 2750, index, precision, 38);
  if (precision < 1) throw typeError(type, 1001, type.at.line, precision);
  if (scale === 'max' || scale > precision) throw typeError(type, 2751, index, scale, precision);
  return { name: 'decimal', precision, scale };
}

function scaleOf(type: TypeName, scale: number | 'max'): number {
  if (scale === 'max' || scale > 7) throw typeError(type, 1002, type.at.line, scale);
  return scale;
}

function lengthOf(type: TypeName, name: string, length: number | 'max'): number | 'max' {
  const maxLength = name.startsWith('n') ? 4000 : 8000;
  if (length === 'max') {
    if (name.includes('var')) return length;
    throw typeError(type, 102, 'max');
  }
  if (length < 1) throw typeError(type, 1001, type.at.line, length);
  if (length > 8000) throw typeError(type, 131, length, 'type', type.name);
  if (length > maxLength) throw typeError(type, 2717, length, 'type', type.name, maxLength);
  return length;
}

/** A wrong type is found in compiling, so that nothing of the batch runs after it. */
function typeError({ at }: TypeName, number: number, ...values: readonly (string | number)[]): SqlError {
  const error = sqlErrorAt(at, number, ...values);
  error.endsBatch = true;
  return error;
}
