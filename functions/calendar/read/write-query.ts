/** The query of the links of a list. */

/** Parameters of a list, in the order of links; undefined values are omitted. */
export type LinkParameters = Readonly<
  Record<string, string | number | boolean | readonly unknown[] | undefined>
>;

/** Writes the query of a URL: spaces as `+`, colons and commas as they are. */
export function writeQuery(parameters: LinkParameters): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) pairs.push(`${name}=${encoded(String(value))}`);
  return pairs.join('&');
}

/** Text that a query has as it is, but for its spaces. */
const unencoded = /^[\w.,: -]*$/;

function encoded(text: string): string {
  if (unencoded.test(text)) return text.replaceAll(' ', '+');
  return encodeURIComponent(text).replaceAll('%20', '+').replaceAll('%3A', ':').replaceAll('%2C', ',');
}
