/** Splits text into tokens. */
import { type Position, sqlErrorAt } from './sql-error.ts';

/** A token with its place; `text` is as written, `value` is what it means (unquoted; upper case for words). */
export interface Token extends Position {
  readonly kind:
    | 'word'
    | 'quoted'
    | 'variable'
    | 'string'
    | 'unicode'
    | 'integer'
    | 'decimal'
    | 'float'
    | 'money'
    | 'binary'
    | 'operator'
    | 'end';
  readonly text: string;
  readonly value: string;
  /** Offsets in the batch: of the first character, and one past the last. */
  readonly start: number;
  readonly end: number;
}

const patterns: readonly (readonly [Token['kind'], RegExp])[] = [
  ['unicode', /N'(?:[^']|'')*'/iy],
  ['string', /'(?:[^']|'')*'/y],
  ['quoted', /\[(?:[^\]]|\]\])*\]|"(?:[^"]|"")*"|“[^”]*”/y],
  ['binary', /0x[0-9a-f]*/iy],
  ['float', /(?:\d+\.?\d*|\.\d+)e[+-]?\d*/iy],
  ['decimal', /\d+\.\d*|\.\d+/y],
  ['integer', /\d+/y],
  ['word', /\$(?:action|identity|rowguid|partition|node_id|edge_id|from_id|to_id|cuid)\b/iy],
  ['money', /[$€£]\s*[+-]?(?:\d+\.?\d*|\.\d+)?/y],
  ['variable', /@@?[\p{L}\p{N}_@#$]*/uy],
  ['word', /[\p{L}_#][\p{L}\p{N}_@#$]*/uy],
  [
    'operator',
    /<<=?|>>=?|\|\|=?|<=|>=|<>|!=|!<|!>|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|::|[-+*/%&|^~=<>(),.;:?{}\\!]/y,
  ],
];

/**
 * Splits a batch into tokens; the last is of kind `end`. Throws 105 for an open string or quoted name, 113 for an open comment, and 103
 * for a name of more than 128 characters. Throws 102 for a character that starts no token.
 */
export function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  const place = lineCounter(sql);
  let offset = skipBlank(sql, 0, place);
  while (offset < sql.length) {
    const token = tokenAt(sql, offset, place(offset));
    tokens.push(token);
    offset = skipBlank(sql, token.end, place);
  }
  tokens.push({ kind: 'end', text: '', value: '', start: offset, end: offset, ...place(offset) });
  return tokens;
}

function tokenAt(sql: string, offset: number, at: Position): Token {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = offset;
    const text = pattern.exec(sql)?.[0];
    if (text !== undefined && text !== '') return token(kind, text, offset, at);
  }
  const rest = sql.slice(offset);
  if (/^N?'|^["[]/i.test(rest)) throw sqlErrorAt(at, 105, rest.replace(/^N?["'[]/i, '').slice(0, 50));
  throw sqlErrorAt(at, 102, rest.slice(0, 1));
}

function token(kind: Token['kind'], text: string, start: number, at: Position): Token {
  const value = meaningOf(kind, text);
  if ((kind === 'word' || kind === 'quoted') && value.length > 128)
    throw sqlErrorAt(at, 103, value.slice(0, 128));
  if (kind === 'quoted' && value === '') throw sqlErrorAt(at, 1038);
  return { kind, text, value, start, end: start + text.length, ...at };
}

function meaningOf(kind: Token['kind'], text: string): string {
  if (kind === 'word') return text.toUpperCase();
  if (kind === 'string') return text.slice(1, -1).replaceAll("''", "'");
  if (kind === 'unicode') return text.slice(2, -1).replaceAll("''", "'");
  if (kind === 'quoted')
    return text.startsWith('[')
      ? text.slice(1, -1).replaceAll(']]', ']')
      : text.slice(1, -1).replaceAll('""', '"');
  return text;
}

/** Skips white space and comments; block comments nest. */
function skipBlank(sql: string, from: number, place: (offset: number) => Position): number {
  let offset = from;
  for (;;) {
    const character = sql[offset];
    if (character !== undefined && (character <= ' ' || /[\s\ufeff]/.test(character))) offset++;
    else if (sql.startsWith('--', offset)) offset = endOfLine(sql, offset);
    else if (sql.startsWith('/*', offset)) offset = endOfComment(sql, offset, place);
    else return offset;
  }
}

function endOfLine(sql: string, offset: number): number {
  const end = sql.indexOf('\n', offset);
  return end < 0 ? sql.length : end;
}

function endOfComment(sql: string, start: number, place: (offset: number) => Position): number {
  const delimiter = /\/\*|\*\//g;
  delimiter.lastIndex = start;
  for (let depth = 0; ; ) {
    const found = delimiter.exec(sql);
    if (!found) throw sqlErrorAt(place(start), 113);
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return delimiter.lastIndex;
  }
}

/** Places for offsets that are asked in rising order, without counting from the start each time. */
function lineCounter(sql: string): (offset: number) => Position {
  let line = 1;
  let lineStart = 0;
  return (offset) => {
    for (;;) {
      const next = sql.indexOf('\n', lineStart);
      if (next < 0 || next >= offset) return { line, column: offset - lineStart + 1 };
      line++;
      lineStart = next + 1;
    }
  };
}
