/** Whether two JSON values are one value to a typed client, which writes moments, times and GUIDs in a form of its own. */

/** Checks whether two parsed JSON values are the same: their `comparableForm` is equal. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return comparableForm(a) === comparableForm(b);
}

/**
 * Returns a text that values have in common when they are the same: numbers as doubles, moments and times without needless zeros, an instant
 * in any zone, GUIDs in any case, members of objects in any order, else character by character.
 */
export function comparableForm(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(plainText(value));
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (Array.isArray(value)) return `[${value.map(comparableForm).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return objectForm(Object.entries(value).map(([name, inner]) => [name, comparableForm(inner)] as const));
}

/** Returns the form of an object by the names and forms of its members, none of them twice. */
export function objectForm(members: Iterable<readonly [name: string, form: string]>): string {
  const texts = Array.from(members, ([name, form]) => `${JSON.stringify(name)}:${form}`);
  return `{${texts.toSorted().join(',')}}`;
}

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const momentOrTime =
  /^(?:(?<date>\d{4}-\d\d-\d\d)(?:T(?=\d)|$))?(?:(?<time>[0-2]\d:[0-5]\d)(?::(?<seconds>[0-5]\d)(?:\.(?<decimals>\d{1,9}))?)?)?(?<zone>Z|[+-]\d\d:\d\d)?$/;

function plainText(text: string): string {
  if (guid.test(text)) return text.toUpperCase();
  const parts = momentOrTime.exec(text)?.groups;
  if (parts === undefined || text === '') return text;
  const { date, time = '00:00', seconds = '00', decimals = '', zone } = parts;
  const fraction = decimals.replace(/0+$/, '');
  const clock = `${time}:${seconds}`;
  if (date === undefined) return zone === undefined ? `${clock}.${fraction}` : text;
  if (zone === undefined) return `${date}T${clock}.${fraction}`;
  const instant = Date.parse(`${date}T${clock}${zone}`);
  return Number.isNaN(instant)
    ? text
    : `${new Date(instant).toISOString().slice(0, -'.000Z'.length)}.${fraction}Z`;
}
