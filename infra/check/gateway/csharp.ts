/** The expressions of a policy, which are C#: the part of it that ours use. */

/** What expressions compute with: objects have members that are values or functions. */
export type CSharp = unknown;

const word = /\s*(?:(\d+)|"((?:[^"\\]|\\.)*)"|([A-Za-z_]\w*)|(==|!=|<=|>=|&&|\|\||[-+*/!<>?:.,()[\]]))/y;
interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'sign' | 'end';
  readonly text: string;
}

const tokenized = new Map<string, Token[]>();

function tokenize(source: string): Token[] {
  const known = tokenized.get(source) ?? tokenizeNew(source);
  tokenized.set(source, known);
  return known;
}

function tokenizeNew(source: string): Token[] {
  const tokens: Token[] = [];
  word.lastIndex = 0;
  while (source.slice(word.lastIndex).trim() !== '') {
    const start = word.lastIndex;
    const [, number, text, name, sign] = word.exec(source) ?? [];
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (text !== undefined) tokens.push({ kind: 'text', text: text.replace(/\\(.)/g, '$1') });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else throw new SyntaxError(`"${source.slice(start, start + 30)}" is no expression`);
  }
  return [...tokens, { kind: 'end', text: '' }];
}

const levels = [['||'], ['&&'], ['==', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', '/']];
const casts = new Set(['bool', 'string', 'int', 'long', 'Jwt']);

/** Computes an expression with the given roots (`context`, and the classes it may use). Throws a SyntaxError for one it cannot read. */
export function compute(source: string, roots: Readonly<Record<string, CSharp>>): CSharp {
  const tokens = tokenize(source);
  let at = 0;
  const next = () => tokens[at] ?? { kind: 'end', text: '' };
  const is = (text: string) => next().kind !== 'text' && next().text === text;
  const accept = (text: string) => is(text) && Boolean(++at);
  const expect = (text: string) => {
    if (!accept(text)) throw new SyntaxError(`expected ${text} before "${next().text}"`);
  };

  // Both branches are read; only the value of one is taken, so members of nothing are nothing.
  function value(): CSharp {
    const condition = binary(0);
    if (!accept('?')) return condition;
    const yes = value();
    expect(':');
    const no = value();
    return condition === true ? yes : no;
  }
  function binary(level: number): CSharp {
    const operators = levels[level];
    if (!operators) return unary();
    let left = binary(level + 1);
    for (;;) {
      const operator = operators.find(is);
      if (operator === undefined) return left;
      at += 1;
      left = operate(operator, left, binary(level + 1));
    }
  }
  function unary(): CSharp {
    if (accept('!')) return unary() !== true;
    const cast = is('(') && casts.has(tokens[at + 1]?.text ?? '') && tokens[at + 2]?.text === ')';
    if (cast) {
      at += 3;
      return unary();
    }
    return postfix(primary());
  }
  function postfix(start: CSharp): CSharp {
    let base = start;
    for (;;) {
      if (accept('.')) {
        const name = next().text;
        at += 1;
        skipTypeParameter();
        base = accept('(') ? call(base, name, parameters()) : member(base, name);
      } else if (accept('[')) {
        base = member(base, String(value()));
        expect(']');
      } else return base;
    }
  }
  /** `As<string>(...)`: values here have no types, so that the one asked for does not matter. */
  function skipTypeParameter(): void {
    const [opens, , closes] = tokens.slice(at).map(({ text }) => text);
    if (opens === '<' && closes === '>' && casts.has(tokens[at + 1]?.text ?? '')) at += 3;
  }
  function parameters(): CSharp[] {
    const list: CSharp[] = [];
    while (!accept(')')) {
      const named = next().kind === 'name' && tokens[at + 1]?.text === ':';
      if (named) at += 2;
      list.push(value());
      accept(',');
    }
    return list;
  }
  function primary(): CSharp {
    const { kind, text } = next();
    at += 1;
    if (kind === 'number') return Number(text);
    if (kind === 'text') return text;
    if (text === '(') {
      const inner = value();
      expect(')');
      return inner;
    }
    if (text === 'true' || text === 'false') return text === 'true';
    if (text === 'null') return null;
    if (text === 'new') {
      const name = next().text;
      at += 1;
      expect('(');
      return call(roots, name, parameters());
    }
    if (kind === 'name' && text in roots) return roots[text];
    throw new SyntaxError(`"${text}" is not known`);
  }

  const result = value();
  if (next().kind !== 'end') throw new SyntaxError(`"${next().text}" stands behind the end`);
  return result;
}

function operate(operator: string, left: CSharp, right: CSharp): CSharp {
  const [one, other] = [left as number, right as number];
  const results: Readonly<Record<string, CSharp>> = {
    '||': left === true || right === true,
    '&&': left === true && right === true,
    '==': left === right,
    '!=': left !== right,
    '<': one < other,
    '<=': one <= other,
    '>': one > other,
    '>=': one >= other,
    '+': typeof left === 'string' || typeof right === 'string' ? `${left}${right}` : one + other,
    '-': one - other,
    '*': one * other,
    '/': one / other,
  };
  return results[operator];
}

const ofText: Readonly<Record<string, (text: string, ...values: string[]) => CSharp>> = {
  ToLowerInvariant: (text) => text.toLowerCase(),
  ToLower: (text) => text.toLowerCase(),
  StartsWith: (text, start = '') => text.startsWith(start),
  EndsWith: (text, end = '') => text.endsWith(end),
  Contains: (text, part = '') => text.includes(part),
  GetHashCode: (text) =>
    [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 2147483647, 7),
  ToString: (text) => text,
};

function member(base: CSharp, name: string): CSharp {
  return typeof base === 'object' && base !== null ? (base as Record<string, CSharp>)[name] : undefined;
}

function call(base: CSharp, name: string, values: readonly CSharp[]): CSharp {
  if (base === undefined) return undefined;
  if (typeof base === 'string') {
    const method = ofText[name];
    if (!method) throw new SyntaxError(`a text has no method ${name}`);
    return method(base, ...values.map(String));
  }
  const method = member(base, name);
  if (typeof method !== 'function') throw new SyntaxError(`there is no method ${name}`);
  return method(...values);
}
