/** Dates as spreadsheets and other calendars write them into tables. */

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const name = `(?<name>(?:${months.join('|')})[a-z]*)\\.?`;

/** The forms of a day: American with slashes, otherwise the day first; two digits of a year are of this century up to 69. */
const days = [
  /^(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})/,
  /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4}|\d\d)(?!\d)/,
  /^(?<day>\d{1,2})[.-](?<month>\d{1,2})[.-](?<year>\d{4}|\d\d)(?!\d)/,
  new RegExp(`^${name}\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?,?\\s+(?<year>\\d{4})`, 'i'),
  new RegExp(`^(?<day>\\d{1,2})(?:st|nd|rd|th)?\\.?[\\s-]+${name}[\\s,-]+(?<year>\\d{4})`, 'i'),
];
const time =
  /^[,\sT]*(?:(?:at\s+)?(?<hour>\d{1,2})(?:[:.](?<minute>\d\d))?(?:[:.](?<second>\d\d))?\s*(?:(?<half>[ap])\.?m\.?)?)?$/i;

/** Returns a date, perhaps with a time, as `YYYY-MM-DD HH:MM:SS`, or as a day alone; what is of another form, and what has an offset, is returned as it is. */
export function isoOfSpreadsheet(text: string): string {
  for (const form of days) {
    const day = form.exec(text);
    const clock = day && time.exec(text.slice(day[0].length));
    if (day?.groups && clock?.groups) return `${dayOf(day.groups)}${clockOf(clock.groups)}`;
  }
  return text;
}

type Groups = Readonly<Record<string, string | undefined>>;

function dayOf({ year = '', month, day = '', name = '' }: Groups): string {
  const number = month ?? String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1);
  return [
    year.length === 2 ? `${Number(year) < 70 ? '20' : '19'}${year}` : year,
    twoDigits(number),
    twoDigits(day),
  ].join('-');
}

function clockOf({ hour, minute = '00', second = '00', half }: Groups): string {
  if (hour === undefined) return '';
  const isTwelve = Number(hour) === 12;
  const shift = half === undefined ? 0 : /a/i.test(half) ? (isTwelve ? -12 : 0) : isTwelve ? 0 : 12;
  return ` ${twoDigits(String(Number(hour) + shift))}:${minute}:${second}`;
}

function twoDigits(number: string): string {
  return number.padStart(2, '0');
}
