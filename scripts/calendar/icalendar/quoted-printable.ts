/** Properties in quoted-printable (RFC 2045 6.7), as vCalendar 1.0 and some programs since write them. */

const start = /^([^:"]*);(?:ENCODING=)?"?QUOTED-PRINTABLE"?([;:].*)$/is;
const charset = /;CHARSET="?([\w-]+)"?/i;

/** Returns lines as iCalendar has them: those in quoted-printable are joined at their soft line breaks, and decoded. */
export function* plainLines(lines: Iterable<string>): Generator<string> {
  let open = '';
  for (const line of lines) {
    const whole = open + line;
    const [, before = '', after] = start.exec(whole) ?? [];
    const isSoft = after !== undefined && whole.trimEnd().endsWith('=');
    open = isSoft ? whole.trimEnd().slice(0, -1) : '';
    if (isSoft) continue;
    yield after === undefined ? whole : decoded(before + after);
  }
  if (open !== '') yield* plainLines([open]);
}

/** Decodes the value of a property; one in a character set that nobody knows stays as it is. */
function decoded(line: string): string {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  const [, set = 'utf-8'] = charset.exec(name) ?? [];
  const value = line.slice(colon + 1).replace(/(?:=[\da-f]{2})+/gi, (escapes) => {
    const bytes = Buffer.from(escapes.replaceAll('=', ''), 'hex');
    try {
      return new TextDecoder(set).decode(bytes);
    } catch (error) {
      if (error instanceof RangeError) return escapes;
      throw error;
    }
  });
  return `${name.replace(charset, '')}:${value.replace(/\r\n|\r|\n/g, '\\n')}`;
}
