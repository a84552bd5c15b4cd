/** Dates and times in the formats of .NET, for FORMAT. */
import { type Culture, dateName } from './cultures.ts';
import { type Moment, offsetText, ticksPerSecond, yearMonthDay } from './datetime.ts';

/** A date in a standard format of one letter or a custom one; null where .NET refuses it, undefined for what is not supported. */
export function formatDate(moment: Moment, format: string, culture: Culture): string | null | undefined {
  const pattern = format.length === 1 ? standardPattern(format, culture) : format;
  if (!pattern) return /[rRuU]/.test(format) ? undefined : null;
  const found = pattern.match(tokens) ?? [];
  if (found.some((token) => /^(g+|[fF]{8,})$/.test(token))) return undefined;
  return found.map((token) => written(moment, token, culture)).join('');
}

function standardPattern(format: string, culture: Culture): string | undefined {
  const { d, D, t, T, M, Y } = culture as Readonly<Record<string, string>>;
  const patterns: Readonly<Record<string, string | undefined>> = {
    d,
    D,
    t,
    T,
    M,
    m: M,
    Y,
    y: Y,
    f: `${D} ${t}`,
    F: `${D} ${T}`,
    g: `${d} ${t}`,
    G: `${d} ${T}`,
    s: "yyyy'-'MM'-'dd'T'HH':'mm':'ss",
    o: "yyyy'-'MM'-'dd'T'HH':'mm':'ss'.'fffffff",
    O: "yyyy'-'MM'-'dd'T'HH':'mm':'ss'.'fffffff",
  };
  return patterns[format];
}

const tokens = /\\.|'[^']*'|"[^"]*"|%|d+|f+|F+|h+|H+|m+|M+|s+|t+|y+|z+|g+|[\s\S]/g;

function written(moment: Moment, token: string, culture: Culture): string {
  const { year, month, day } = yearMonthDay(moment.days);
  const seconds = Math.floor(moment.ticks / ticksPerSecond);
  const hour = Math.floor(seconds / 3600);
  const fraction = String(moment.ticks % ticksPerSecond)
    .padStart(7, '0')
    .slice(0, token.length);
  const sized = (value: number): string => String(value).padStart(token.length > 1 ? 2 : 1, '0');
  const isShort = token.length === 3;
  switch (token.charAt(0)) {
    case 'd':
      return token.length > 2 ? dateName(culture, 'weekday', moment.days, isShort) : sized(day);
    case 'M':
      return token.length > 2 ? dateName(culture, 'month', moment.days, isShort) : sized(month);
    case 'y':
      return token.length > 2 ? String(year).padStart(token.length, '0') : sized(year % 100);
    case 'h':
      return sized(hour % 12 || 12);
    case 'H':
      return sized(hour);
    case 'm':
      return sized(Math.floor(seconds / 60) % 60);
    case 's':
      return sized(seconds % 60);
    case 'f':
      return fraction;
    case 'F':
      return fraction.replace(/0+$/, '');
    case 't':
      return culture['t']?.includes('t') ? (hour < 12 ? 'AM' : 'PM').slice(0, token.length) : '';
    case 'z':
      return token.length > 2 ? offsetText(moment.offset) : offsetText(moment.offset).slice(0, 3);
    case '/':
      return culture['dateSeparator'] ?? '';
    case '%':
      return '';
    default:
      return token.replace(/^\\|^(['"])(.*)\1$/, '$2');
  }
}
