/** Literals in SQLite's words. */
import { sqlError } from '../../tsql/sql-error.ts';
import { float, int, nvarchar, varchar } from '../types.ts';
import { toCodePage } from '../values/collation.ts';
import { literal, type Typed } from './typed.ts';

/** A number as written: an int, a decimal with its own digits, a float or money. Throws 168 and 1007 beyond their ranges. */
export function numberLiteral(form: 'integer' | 'decimal' | 'float' | 'money', text: string): Typed {
  if (form === 'float') return floatLiteral(text);
  if (form === 'money') return moneyLiteral(text);
  if (form === 'integer') {
    const digits = text.replace(/^0+(?=\d)/, '');
    if (BigInt(digits) <= 2_147_483_647n)
      return { sql: digits, type: int, nullable: false, digits: digits.length };
    return decimalLiteral(digits, '');
  }
  const [whole = '', fraction = ''] = text.split('.');
  return decimalLiteral(whole.replace(/^0+/, ''), fraction);
}

function decimalLiteral(whole: string, fraction: string): Typed {
  const precision = Math.max(whole.length + fraction.length, 1);
  if (precision > 38) throw sqlError(1007, `${whole}${fraction && `.${fraction}`}`);
  const text = `${whole || '0'}${fraction ? `.${fraction}` : ''}`;
  return {
    sql: literal(text),
    type: { name: 'decimal', precision, scale: fraction.length },
    nullable: false,
  };
}

function floatLiteral(text: string): Typed {
  const value = Number(/e[+-]?$/i.test(text) ? `${text.replace(/[+-]$/, '')}0` : text);
  if (!Number.isFinite(value)) throw sqlError(168, text);
  return { sql: value.toExponential(), type: float, nullable: false };
}

function moneyLiteral(text: string): Typed {
  const [whole = '', fraction = ''] = text.replace(/^[$€£]\s*\+?/, '').split('.');
  return {
    sql: literal(`${whole || '0'}.${fraction.padEnd(4, '0').slice(0, 4)}`),
    type: { name: 'money' },
    nullable: false,
  };
}

/** A text as written; one without N is in the code page. */
export function stringLiteral(value: string, unicode: boolean): Typed {
  if (unicode)
    return {
      sql: literal(value),
      type: nvarchar(value.length > 4000 ? 'max' : Math.max(value.length, 1)),
      nullable: false,
    };
  return {
    sql: literal(toCodePage(value)),
    type: varchar(value.length > 8000 ? 'max' : Math.max(value.length, 1)),
    nullable: false,
  };
}

/** Bytes as written; an odd digit at the front stands for a whole byte. */
export function binaryLiteral(hex: string): Typed {
  const even = hex.length % 2 ? `0${hex}` : hex;
  const length = even.length / 2;
  return {
    sql: `x'${even}'`,
    type: { name: 'varbinary', length: length > 8000 ? 'max' : Math.max(length, 1) },
    nullable: false,
  };
}
