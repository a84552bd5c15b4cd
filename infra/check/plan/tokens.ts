/** The words of an expression in Bicep or HCL. */

/** Which of the two languages: they differ in quotes, and in what may stand inside a name. */
export type Dialect = 'bicep' | 'terraform';

/** A word; `parts` of a string alternate between text and the source of an interpolation. `line`: whether a line break stands before it. */
export interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'sign' | 'end';
  readonly text: string;
  readonly parts?: readonly string[];
  readonly line: boolean;
}

const signs = ['...', '=>', '==', '!=', '=~', '!~', '<=', '>=', '&&', '||', '??', '.?', '[?'];
const blanks = /(?:[ \t\r\n]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const hclBlanks = /(?:[ \t\r\n]|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const disabled = /^[ \t]*#disable-next-line.*$/gm;
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Splits an expression into its words; the last is `end`. Throws a SyntaxError for a character that begins none. */
export function tokenize(source: string, dialect: Dialect): Token[] {
  const text = dialect === 'bicep' ? source.replace(disabled, '') : source;
  const name = dialect === 'bicep' ? /[A-Za-z_]\w*/y : /[A-Za-z_][\w-]*/y;
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  for (;;) {
    const before = match(dialect === 'bicep' ? blanks : hclBlanks) ?? '';
    at += before.length;
    const line = before.includes('\n');
    const add = (token: Omit<Token, 'line'>, length: number) => {
      tokens.push({ ...token, line });
      at += length;
    };
    if (at >= text.length) {
      add({ kind: 'end', text: '' }, 0);
      return tokens;
    }
    const word = match(name);
    const number = match(/\d+(?:\.\d+)?/y);
    const sign = signs.find((sign) => text.startsWith(sign, at)) ?? match(/[-+*/%!<>=?:.,()[\]{}]/y);
    const quote = dialect === 'bicep' ? "'" : '"';
    if (word) add({ kind: 'name', text: word }, word.length);
    else if (number) add({ kind: 'number', text: number }, number.length);
    else if (text[at] === quote) {
      const { parts, end } = readString(text, at + 1, quote);
      add({ kind: 'string', text: parts.join(''), parts }, end - at);
    } else if (sign) add({ kind: 'sign', text: sign }, sign.length);
    else throw new SyntaxError(`Cannot read ${JSON.stringify(text.slice(at, at + 40))}`);
  }
}

/** Reads a string from behind its quote: texts and interpolations in turn, and where it ends. With quote '' it ends with the text. */
export function readString(text: string, start: number, quote: string): { parts: string[]; end: number } {
  const parts = [''];
  let at = start;
  const append = (piece: string) => {
    parts[parts.length - 1] += piece;
  };
  while (quote === '' ? at < text.length : text[at] !== quote) {
    if (at >= text.length) throw new SyntaxError(`A string does not end: ${text.slice(start, start + 40)}`);
    if (text[at] === '\\' && quote !== '') {
      const escaped = text[at + 1] ?? '';
      append(escapes[escaped] ?? escaped);
      at += 2;
    } else if (text.startsWith('$${', at)) {
      append('${');
      at += 3;
    } else if (text.startsWith('${', at)) {
      const end = endOfInterpolation(text, at + 2);
      parts.push(text.slice(at + 2, end), '');
      at = end + 1;
    } else {
      append(text[at] ?? '');
      at += 1;
    }
  }
  return { parts, end: at + quote.length };
}

function endOfInterpolation(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"' || character === "'") at = readString(text, at + 1, character).end - 1;
    else if (character === '{') depth += 1;
    else if (character === '}' && depth === 0) return at;
    else if (character === '}') depth -= 1;
  }
  throw new SyntaxError(`An interpolation does not end: ${text.slice(start, start + 40)}`);
}
