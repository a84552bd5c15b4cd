/** Numbers in the formats of .NET, for FORMAT. */
import type { Culture } from './cultures.ts';
import { type Decimal, formatDecimal, rescale } from './decimal.ts';

/** A number in a standard format (`N2`) or a custom one (`#,##0.00`); null where .NET refuses it, undefined for what is not supported. */
export function formatNumber(
  value: Decimal,
  format: string,
  culture: Culture,
  isWhole: boolean,
): string | null | undefined {
  const standard = /^([A-Za-z])(\d{0,2})$/.exec(format);
  if (!standard) return custom(value, format, culture);
  const [, letter = '', digits = ''] = standard;
  const places = digits === '' ? undefined : Number(digits);
  const isNegative = rescale(value, places ?? 2).units < 0n;
  switch (letter.toUpperCase()) {
    case 'N':
    case 'F':
      return `${isNegative ? '-' : ''}${fixed(value, places ?? 2, culture, letter.toUpperCase() === 'N')}`;
    case 'D': {
      const text = String(absolute(value).units).padStart(places ?? 1, '0');
      return isWhole ? `${value.units < 0n ? '-' : ''}${text}` : null;
    }
    case 'C':
      return (
        culture[isNegative ? 'negative' : 'currency']?.replace('n', () =>
          fixed(value, places ?? 2, culture, true),
        ) || undefined
      );
    case 'G':
      return places === undefined ? formatDecimal(value).replace('.', culture.decimalPoint) : undefined;
    default:
      return /[PERX]/i.test(letter) ? undefined : null;
  }
}

function absolute({ units, scale }: Decimal): Decimal {
  return { units: units < 0n ? -units : units, scale };
}

function grouped(digits: string, culture: Culture): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, culture['groupSeparator'] ?? '');
}

/** A number with fixed decimals and without its sign; its thousands may be grouped. */
function fixed(value: Decimal, places: number, culture: Culture, isGrouped: boolean): string {
  const [front = '', back = ''] = formatDecimal(rescale(absolute(value), places)).split('.');
  return `${isGrouped ? grouped(front, culture) : front}${places > 0 ? culture.decimalPoint + back : ''}`;
}

/** Parts of a custom format: quoted and escaped text, placeholders, and signs. */
const parts = /\\.|'[^']*'|"[^"]*"|E[+-]?0+|[\s\S]/gi;

/** A custom format has up to three sections: for positive numbers, negative ones, and zero. */
function custom(value: Decimal, format: string, culture: Culture): string | undefined {
  const sections: string[][] = [[]];
  for (const part of format.match(parts) ?? [])
    if (part === ';') sections.push([]);
    else sections.at(-1)?.push(part);
  const [positive = [], negative, zero] = sections;
  if (value.units === 0n && zero) return filled(value, zero, culture);
  if (value.units < 0n && negative?.length) return filled(absolute(value), negative, culture);
  const text = filled(absolute(value), positive, culture);
  return value.units < 0n && text !== undefined && /[1-9]/.test(text) ? `-${text}` : text;
}

const isDigit = (part: string): boolean => part === '0' || part === '#';

/** Text and exponents between placeholders are not supported. */
function filled(value: Decimal, section: readonly string[], culture: Culture): string | undefined {
  const first = section.findIndex((part) => isDigit(part) || part === '.');
  if (first < 0) return section.map(literalOf).join('');
  const last = section.findLastIndex(isDigit);
  const placeholders = section.slice(first, last + 1);
  if (placeholders.some((part) => !/^[0#.,]$/.test(part)) || section.some((part) => /^E.?0/i.test(part)))
    return undefined;
  const [written = '', back = ''] = placeholders.join('').split('.');
  const front = written.replace(/,+$/, '');
  const thousands =
    written.length - front.length + section.slice(last + 1).filter((part) => part === ',').length;
  const hundreds = section.filter((part) => part === '%').length * 2;
  const scaled = { units: value.units * 10n ** BigInt(hundreds), scale: value.scale + thousands * 3 };
  const [digits = '', decimals = ''] = formatDecimal(rescale(scaled, back.length)).split('.');
  const least = front.includes('0')
    ? front.replaceAll(',', '').length - front.replaceAll(',', '').indexOf('0')
    : 0;
  const padded = (digits === '0' ? '' : digits).padStart(least, '0');
  const whole = front.includes(',') ? grouped(padded, culture) : padded;
  const fraction = decimals.replace(/0+$/, '').padEnd(back.lastIndexOf('0') + 1, '0');
  const number = fraction === '' ? whole : `${whole}${culture.decimalPoint}${fraction}`;
  return `${section.slice(0, first).map(literalOf).join('')}${number}${section
    .slice(last + 1)
    .map(literalOf)
    .join('')}`;
}

function literalOf(part: string): string {
  if (part === ',') return '';
  return part.replace(/^\\|^(['"])(.*)\1$/, '$2');
}
