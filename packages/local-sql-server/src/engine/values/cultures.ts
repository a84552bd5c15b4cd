/** What FORMAT needs of a culture of .NET. */
const columns = 'language decimalPoint groupSeparator currency negative dateSeparator d D t T M Y'.split(' ');

/** The cultures, with their signs and patterns; an empty cell is a pattern in which the versions of Windows differ. */
const table = `
en-US|.|,|$n|($n)|/|M/d/yyyy|dddd, MMMM d, yyyy|h:mm tt|h:mm:ss tt|MMMM d|MMMM yyyy
en-GB|.|,|£n|-£n|/|dd/MM/yyyy|dd MMMM yyyy|HH:mm|HH:mm:ss|d MMMM|MMMM yyyy
de-DE|,|.|n €|-n €|.|dd.MM.yyyy|dddd, d. MMMM yyyy|HH:mm|HH:mm:ss|d. MMMM|MMMM yyyy
da-DK|,|.|||-|dd-MM-yyyy|d. MMMM yyyy|HH:mm|HH:mm:ss|d. MMMM|MMMM yyyy`;

/** Signs and patterns by name; patterns of dates by the letter of their standard format. */
export type Culture = Readonly<Record<string, string>> & { readonly decimalPoint: string };

const cultures = new Map(
  table
    .trim()
    .split('\n')
    .map((line) => line.split('|'))
    .map((cells) => [
      (cells[0] ?? '').toLowerCase(),
      Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ''])) as Culture,
    ]),
);

/** The culture of a name; undefined for one that this server lacks. */
export function cultureNamed(name: string): Culture | undefined {
  return cultures.get(name.toLowerCase());
}

/** The name of a month or of a day of the week, whole or in short. */
export function dateName(
  culture: Culture,
  part: 'month' | 'weekday',
  days: number,
  isShort: boolean,
): string {
  const name = new Intl.DateTimeFormat(culture['language'], { [part]: 'long', timeZone: 'UTC' }).format(
    new Date((days - 719_162) * 86_400_000),
  );
  const isGermanDay = culture['language'] === 'de-DE' && part === 'weekday';
  return isShort ? name.slice(0, isGermanDay ? 2 : 3) : name;
}
