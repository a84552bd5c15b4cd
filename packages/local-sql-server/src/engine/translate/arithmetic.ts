/** Operators on values. */
import { sqlError } from '../../tsql/sql-error.ts';
import type { SqlType } from '../session.ts';
import {
  asDecimal,
  type DecimalType,
  familyOf,
  float,
  isCharacter,
  isDateTime,
  isNumeric,
  isUnicode,
  precedenceOf,
  typeName,
} from '../types.ts';
import { decimalResult } from '../values/decimal.ts';
import {
  converted,
  cutText,
  derived,
  nullTyped,
  rankOfBoth,
  refuseOperand,
  sharedCollation,
  type Typed,
  typeId,
} from './typed.ts';

const operatorNames: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
  '&': "'&'",
  '|': "'|'",
  '^': "'^'",
};

/** `left operator right` with the types, conversions and errors of T-SQL ("Operators", "Data type precedence"). */
export function arithmetic(operator: string, left: Typed, right: Typed): Typed {
  if (left.isNull && right.isNull) return nullTyped;
  if (left.isNull)
    return arithmeticOfTyped(operator, { ...nullTyped, isNull: false, type: right.type }, right);
  if (right.isNull)
    return arithmeticOfTyped(operator, left, { ...nullTyped, isNull: false, type: left.type });
  return arithmeticOfTyped(operator, left, right);
}

function arithmeticOfTyped(operator: string, left: Typed, right: Typed): Typed {
  if (operator === '+' && isCharacter(left.type) && isCharacter(right.type))
    return concatenation(left, right);
  if (operator === '+' && familyOf(left.type) === 'binary' && familyOf(right.type) === 'binary')
    return joinedBytes(left, right);
  if (isDateTime(left.type) || isDateTime(right.type)) return dateArithmetic(operator, left, right);
  return numberArithmetic(
    operator,
    numberOperand(operator, left, right),
    numberOperand(operator, right, left),
  );
}

/** Text and bytes take the type of the number beside them. */
function numberOperand(operator: string, typed: Typed, other: Typed): Typed {
  if (isNumeric(typed.type)) return typed;
  const isConvertible = isCharacter(typed.type) || familyOf(typed.type) === 'binary';
  if (!isConvertible || !isNumeric(other.type)) {
    if (isCharacter(typed.type) && isCharacter(other.type))
      return refuseOperand(typed.type, operatorNames[operator] ?? operator);
    throw incompatible(operator, typed, other);
  }
  return converted(typed, other.type.name === 'bit' ? { name: 'int' } : other.type);
}

function incompatible(operator: string, left: Typed, right: Typed) {
  if (typeName(left.type) === typeName(right.type))
    return sqlError(8117, typeName(left.type), operatorNames[operator] ?? operator);
  return sqlError(402, typeName(left.type), typeName(right.type), operatorNames[operator] ?? operator);
}

function concatenation(left: Typed, right: Typed): Typed {
  const unicode = isUnicode(left.type) || isUnicode(right.type);
  const largest = unicode ? 4000 : 8000;
  const a = sizeOf(left.type);
  const b = sizeOf(right.type);
  const total = a === 'max' || b === 'max' ? 'max' : Math.min(a + b, largest);
  const collation = sharedCollation(left, right, 'add');
  const type: SqlType = { name: unicode ? 'nvarchar' : 'varchar', length: total, collation };
  const joined = `(${left.sql} || ${right.sql})`;
  const isCut = a !== 'max' && b !== 'max' && a + b > largest;
  const sql = isCut ? cutText(joined, largest) : joined;
  return { sql, type, nullable: left.nullable || right.nullable, collationRank: rankOfBoth(left, right) };
}

function sizeOf(type: SqlType): number | 'max' {
  return 'length' in type ? type.length : 'max';
}

function joinedBytes(left: Typed, right: Typed): Typed {
  const a = sizeOf(left.type);
  const b = sizeOf(right.type);
  const length = a === 'max' || b === 'max' ? 'max' : Math.min(a + b, 8000);
  const nullable = left.nullable || right.nullable;
  return { sql: `join_bytes(${left.sql}, ${right.sql})`, type: { name: 'varbinary', length }, nullable };
}

/** A date beside a number is a clash of types; two dates are wrong for the operator. */
function clash(operator: string, left: Typed, right: Typed) {
  if (isDateTime(left.type) !== isDateTime(right.type) && (isNumeric(left.type) || isNumeric(right.type)))
    return sqlError(206, typeName(left.type), typeName(right.type));
  return incompatible(operator, left, right);
}

/** Only datetime and smalldatetime add and subtract, days being the unit. */
function dateArithmetic(operator: string, left: Typed, right: Typed): Typed {
  const isOld = ({ type }: Typed): boolean => type.name === 'datetime' || type.name === 'smalldatetime';
  const other = isOld(left) ? right : left;
  if (
    (operator !== '+' && operator !== '-') ||
    !(isOld(left) || isOld(right)) ||
    (isDateTime(other.type) && !isOld(other))
  )
    throw clash(operator, left, right);
  const type = isOld(left) ? left.type : right.type;
  const a = converted(left, { name: 'datetime' });
  const b = converted(right, { name: 'datetime' });
  return {
    sql: `datetime_arithmetic('${operator}', ${a.sql}, ${b.sql}, ${typeId(type)})`,
    type,
    nullable: left.nullable || right.nullable,
  };
}

function numberArithmetic(operator: string, left: Typed, right: Typed): Typed {
  const type = resultType(operator, left, right);
  const nullable = left.nullable || right.nullable;
  if (familyOf(type) === 'integer') {
    const sql = `integer_arithmetic('${operator}', ${left.sql}, ${right.sql}, ${typeId(type)})`;
    return { sql, type, nullable };
  }
  if (familyOf(type) === 'float') {
    const a = converted(left, float);
    const b = converted(right, float);
    const sql = `float_arithmetic('${operator}', ${a.sql}, ${b.sql})`;
    return converted({ sql, type: float, nullable }, type);
  }
  const { precision, scale } = asDecimal(type);
  const sql = `decimal_arithmetic('${operator}', ${left.sql}, ${right.sql}, ${precision}, ${scale})`;
  return { sql, type, nullable };
}

function resultType(operator: string, left: Typed, right: Typed): SqlType {
  const high = precedenceOf(left.type) >= precedenceOf(right.type) ? left.type : right.type;
  const family = familyOf(high);
  const isBitwise = '&|^'.includes(operator);
  if (isBitwise && family !== 'integer') throw incompatible(operator, left, right);
  if (family === 'float' && operator === '%') throw incompatible(operator, left, right);
  if (high.name === 'bit' && !isBitwise) throw incompatible(operator, left, right);
  if (family === 'decimal') return decimalResult(operator, exactType(left), exactType(right));
  return high;
}

function exactType(typed: Typed): DecimalType {
  if (typed.digits !== undefined) return { name: 'decimal', precision: typed.digits, scale: 0 };
  return asDecimal(typed.type);
}

/** `-x`, `+x` and `~x`. */
export function negated(operator: string, operand: Typed): Typed {
  if (operator === '+' || operand.isNull) return operand;
  const typed = derived(operand, {
    sql: operand.sql,
    ...(operand.digits === undefined ? {} : { digits: operand.digits }),
  });
  const family = familyOf(typed.type);
  if (operator === '~') {
    if (family !== 'integer') throw refuseOperand(typed.type, "'~'");
    return { ...typed, sql: `integer_arithmetic('~', 0, ${typed.sql}, ${typeId(typed.type)})` };
  }
  if (typed.digits !== undefined && /^\d+$/.test(typed.sql)) return { ...typed, sql: `-${typed.sql}` };
  if (family === 'float') return { ...typed, sql: `(-${typed.sql})` };
  if (family === 'decimal' || family === 'money') return negatedDecimal(typed);
  if (family !== 'integer' || typed.type.name === 'bit') throw refuseOperand(typed.type, 'minus');
  const type: SqlType = typed.type.name === 'tinyint' ? { name: 'smallint' } : typed.type;
  return { ...typed, type, sql: `integer_arithmetic('-', 0, ${typed.sql}, ${typeId(type)})` };
}

function negatedDecimal(typed: Typed): Typed {
  // The literal 2147483648 is a decimal, but its negative is an int nowhere either: SQL Server keeps numeric.
  const { precision, scale } = asDecimal(typed.type);
  return { ...typed, sql: `decimal_arithmetic('-', 0, ${typed.sql}, ${precision}, ${scale})` };
}
