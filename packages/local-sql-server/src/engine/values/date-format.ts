/** Dates and times as text. */
import { sqlError } from '../../tsql/sql-error.ts';
import type { SqlType } from '../session.ts';
import {
  dateText,
  type Moment,
  offsetText,
  scaleOf,
  ticksPerSecond,
  timeText,
  yearMonthDay,
} from './datetime.ts';

export const monthNames: readonly string[] =
  'January February March April May June July August September October November December'.split(' ');

/**
 * The pictures of CONVERT's styles: `yyyy yy MM dd d`, `Mon`, `HH` (24 hours), `h` (12 hours, padded by a space),
 * `mm ss`, `f` (decimals of the type), `fff` (three), `tt`.
 */
const pictures: Readonly<Record<number, string>> = {
  23: 'yyyy-MM-dd',
  100: 'Mon d yyyy h:mmtt',
  101: 'MM/dd/yyyy',
  102: 'yyyy.MM.dd',
  103: 'dd/MM/yyyy',
  104: 'dd.MM.yyyy',
  105: 'dd-MM-yyyy',
  106: 'dd Mon yyyy',
  107: 'Mon dd, yyyy',
  108: 'HH:mm:ss',
  109: 'Mon d yyyy h:mm:ss:ffftt',
  110: 'MM-dd-yyyy',
  111: 'yyyy/MM/dd',
  112: 'yyyyMMdd',
  113: 'dd Mon yyyy HH:mm:ss:fff',
  114: 'HH:mm:ss:fff',
  120: 'yyyy-MM-dd HH:mm:ss',
  121: 'yyyy-MM-dd HH:mm:ssf',
  126: 'yyyy-MM-ddTHH:mm:ssF',
  127: 'yyyy-MM-ddTHH:mm:ssF',
};

const token = /yyyy|yy|MM|dd|Mon|d|HH|h|mm|ss|fff|f|F|tt/g;

/** Styles below 100 are those above with years of two digits, where the picture is a date alone; 24 and 25 are 8 and 21. */
function pictureOf(style: number): string | undefined {
  const full = pictures[{ 24: 108, 25: 121 }[style] ?? (style < 23 ? style + 100 : style)];
  return style < 13 && !full?.includes(':') ? full?.replace('yyyy', 'yy') : full;
}

/** Formats by a style; without one, datetime and smalldatetime use 0 and the newer types 121. Throws 281. */
export function momentToText(moment: Moment, type: SqlType, style: number | undefined): string {
  const isOld = type.name === 'datetime' || type.name === 'smalldatetime';
  const picture = pictureOf(style ?? (isOld ? 0 : 121));
  if (style === 130 || style === 131) throw sqlError(40_517, 'a Hijri style', 1, 1);
  if (picture === undefined) throw sqlError(281, style ?? 0, type.name);
  const text = fill(partOf(picture, type), moment, type);
  return type.name === 'datetimeoffset' && /mm/.test(picture) ? withOffset(text, moment, style) : text;
}

function withOffset(text: string, moment: Moment, style: number | undefined): string {
  if (style === 126) return `${text}${offsetText(moment.offset)}`;
  return style === 127
    ? `${text}${moment.offset === 0 ? 'Z' : offsetText(moment.offset)}`
    : `${text} ${offsetText(moment.offset)}`;
}

/** A date has no clock to show, a time no date. */
function partOf(picture: string, type: SqlType): string {
  if (type.name === 'date') return picture.replace(/[T ]?(HH|h):mm.*$/, '');
  return type.name === 'time' ? picture.replace(/^.*?(?=HH|h:)/, '') : picture;
}

function fill(picture: string, moment: Moment, type: SqlType): string {
  const { year, month, day } = yearMonthDay(moment.days);
  const clock = timeText(moment.ticks, 7);
  const hour = Number(clock.slice(0, 2));
  const fraction = scaleOf(type) ? `.${clock.slice(9, 9 + scaleOf(type))}` : '';
  const values: Readonly<Record<string, string>> = {
    yyyy: dateText(moment.days).slice(0, 4),
    yy: String(year % 100).padStart(2, '0'),
    MM: String(month).padStart(2, '0'),
    dd: String(day).padStart(2, '0'),
    d: String(day).padStart(2),
    Mon: (monthNames[month - 1] ?? '').slice(0, 3),
    HH: clock.slice(0, 2),
    h: String(hour % 12 || 12).padStart(2),
    mm: clock.slice(3, 5),
    ss: clock.slice(6, 8),
    fff: clock.slice(9, 12),
    f: fraction,
    F: type.name === 'datetime' && moment.ticks % ticksPerSecond === 0 ? '' : fraction,
    tt: hour < 12 ? 'AM' : 'PM',
  };
  return picture.replace(token, (name) => values[name] ?? name);
}
