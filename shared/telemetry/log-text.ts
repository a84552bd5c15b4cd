/** Lines of the log for people, where they develop: LOG_FORMAT=text. */

/** A line of the log before it is text. */
export type Entry = Readonly<Record<string, unknown>>;

type Parts = Readonly<Record<string, { readonly count: number; readonly milliseconds: number }>>;
type Sources = readonly { readonly identifier: string; readonly milliseconds: number }[];

interface Described {
  readonly stack?: string;
  readonly message?: string;
  readonly cause?: unknown;
}

/** Writes an entry as people read it: `GET /api/v8.0/documents/5/custom-data 200 14 ms  sql 2 x 9 ms`. */
export function textOf(entry: Entry): string {
  switch (entry['event']) {
    case 'request':
      return visible(requestText(entry));
    case 'change':
      return visible(changeText(entry));
    case 'measurement':
      return `  ${entry['kind']} ${entry['name']} ${entry['milliseconds']} ms ${JSON.stringify(entry['attributes'])}${id(entry['requestId'])}`;
    default:
      return `Failure${id(entry['requestId'])}: ${failureText(entry['error'])}`;
  }
}

function requestText(entry: Entry): string {
  const { method, path, status, milliseconds, parts, sources, code, reason, sqlText, requestId } = entry;
  const outcome = `${method} ${path} ${status} ${roundedMs(milliseconds)} ms`;
  const explanation = reason ?? sqlText;
  const error = code === undefined ? [] : [`${code}${explanation === undefined ? '' : `: ${explanation}`}`];
  const times = [...partTexts(parts as Parts | undefined), ...slowestSource(sources as Sources | undefined)];
  return [outcome, ...times, ...error].join('  ') + id(requestId);
}

function slowestSource(sources: Sources = []): string[] {
  const [slowest] = sources.toSorted((a, b) => b.milliseconds - a.milliseconds);
  return slowest === undefined
    ? []
    : [`slowest source ${slowest.identifier} ${roundedMs(slowest.milliseconds)} ms`];
}

function partTexts(parts: Parts = {}): string[] {
  return Object.entries(parts)
    .filter(([part, { milliseconds }]) => ['sql', 'tables', 'blobs'].includes(part) || milliseconds >= 1)
    .map(([part, { count, milliseconds }]) => `${part} ${count} x ${roundedMs(milliseconds)} ms`);
}

function changeText({ method, kind, id: of, names, status, code, objectId, requestId }: Entry): string {
  const fields = (names as readonly string[]).join(', ');
  const outcome = code === undefined ? status : `${status} ${code}`;
  return `${method} ${kind} ${of ?? ''} ${outcome}${fields === '' ? '' : ` (${fields})`} by ${objectId}${id(requestId)}`;
}

function failureText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { stack, message, cause } = error as Described;
  const text = stack ?? message ?? '';
  return cause === undefined ? text : `${text}\nCaused by: ${failureText(cause)}`;
}

/** Escapes control characters, which names and paths of callers may hold: a line stays a line. */
function visible(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

function roundedMs(milliseconds: unknown): number {
  return Math.round(Number(milliseconds));
}

function id(value: unknown): string {
  return value === undefined ? '' : ` [${value}]`;
}
