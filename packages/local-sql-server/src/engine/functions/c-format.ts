/** The formats of C that RAISERROR and FORMATMESSAGE fill. */
import { sqlError } from '../../tsql/sql-error.ts';

/** A value for a format: a text, or a whole number. */
export interface Substitution {
  readonly kind: 's' | 'd';
  readonly text: string;
}

const format = /%(?:%|([-+0 #]*)(\*|\d*)(?:\.(\*|\d+))?(?:I64|[hl])?([a-zA-Z]?))/g;

/** Characters of a message, at most; of a longer one the first are kept, and dots after them. */
const maxLength = 2_047;
const dots = '...';

/** Fills `%s`, and `%d`, `%i`, `%u`, `%o`, `%x` and `%X` with whole numbers. Throws 2786 for another type, 2787 for what is no format. */
export function fillFormats(text: string, substitutions: readonly Substitution[]): string {
  let index = 0;
  const next = (type: string): string => {
    const { kind, text: shown } = substitutions[index++] ?? { kind: undefined, text: '(null)' };
    if (kind && kind !== (type === 's' ? 's' : 'd')) throw sqlError(2786, index);
    return shown;
  };
  const sizeOf = (written: string): number | undefined => {
    if (written === '*') return Number(next('d'));
    return written === '' ? undefined : Number(written);
  };
  const filled = text.replace(format, (whole, flags = '', width = '', precision = '', type = '') => {
    if (whole === '%%') return '%';
    if (!/^[sdiuoxX]$/.test(type)) throw sqlError(2787, whole);
    const places = sizeOf(width);
    const limit = sizeOf(precision);
    return padded(shownAs(type, next(type), flags, limit), flags, places ?? 0);
  });
  return filled.length > maxLength ? filled.slice(0, maxLength - dots.length) + dots : filled;
}

function shownAs(type: string, text: string, flags: string, limit: number | undefined): string {
  if (type === 's' || !/^-?\d+$/.test(text)) return limit === undefined ? text : text.slice(0, limit);
  const number = BigInt(text);
  const unsigned = number < 0n ? BigInt.asUintN(32, number) : number;
  if (type === 'u') return String(unsigned);
  const prefix = flags.includes('#');
  if (type === 'o') return `${prefix ? '0' : ''}${unsigned.toString(8)}`;
  if (type === 'x') return `${prefix ? '0x' : ''}${unsigned.toString(16)}`;
  if (type === 'X') return `${prefix ? '0X' : ''}${unsigned.toString(16).toUpperCase()}`;
  if (number < 0n) return text;
  return flags.includes('+') ? `+${text}` : flags.includes(' ') ? ` ${text}` : text;
}

function padded(text: string, flags: string, places: number): string {
  if (flags.includes('-')) return text.padEnd(places);
  if (!flags.includes('0') || !/^[-+]?\w+$/.test(text)) return text.padStart(places);
  const sign = /^[-+]/.exec(text)?.[0] ?? '';
  return sign + text.slice(sign.length).padStart(places - sign.length, '0');
}
