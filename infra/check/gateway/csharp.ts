/** The expressions of a policy, which are C#: the part of it that ours use. */

/** What expressions compute with: objects have members that are values or functions. */
export type CSharp = unknown;

const word = /\s*(?:(\d+)|"((?:[^"\\]|\\.)*)"|([A-Za-z_]\w*)|(==|!=|<=|>=|&&|\|\||[-+*/!<>?:.,()[\]]))/y;
interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'sign' | 'end';
  readonly text: string;
}

function tokenize(source: string): Token[] {
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

type Roots = Readonly<Record<string, CSharp>>;
type Compiled = (roots: Roots) => CSharp;

const compiled = new Map<string, Compiled>();

/** Computes a value of a policy: `@(...)` is an expression over the given roots (`context`, and the classes it may use), all else is text. Throws a SyntaxError for an expression it cannot read. */
export function compute(text: string, roots: Roots): CSharp {
  let value = compiled.get(text);
  if (!value) {
    value = text.startsWith('@(') && text.endsWith(')') ? compile(text.slice(2, -1)) : () => text;
    compiled.set(text, value);
  }
  return value(roots);
}

/** Reads an expression once, since it is computed for many requests. */
function compile(source: string): Compiled {
  const tokens = tokenize(source);
  let at = 0;
  const next = () => tokens[at] ?? { kind: 'end', text: '' };
  const is = (text: string) => next().kind !== 'text' && next().text === text;
  const accept = (text: string) => is(text) && Boolean(++at);
  const expect = (text: string) => {
    if (!accept(text)) throw new SyntaxError(`expected ${text} before "${next().text}"`);
  };

  // Both branches are computed; only the value of one is taken, so members of nothing are nothing.
  function value(): Compiled {
    const condition = binary(0);
    if (!accept('?')) return condition;
    const yes = value();
    expect(':');
    const no = value();
    return (roots) => {
      const [choice, item, other] = [condition(roots), yes(roots), no(roots)];
      return choice === true ? item : other;
    };
  }
  function binary(level: number): Compiled {
    const operators = levels[level];
    if (!operators) return unary();
    let left = binary(level + 1);
    for (;;) {
      const operate = operations[operators.find(is) ?? ''];
      if (operate === undefined) return left;
      at += 1;
      const [item, other] = [left, binary(level + 1)];
      left = (roots) => operate(item(roots), other(roots));
    }
  }
  function unary(): Compiled {
    if (accept('!')) {
      const negated = unary();
      return (roots) => negated(roots) !== true;
    }
    const cast = is('(') && casts.has(tokens[at + 1]?.text ?? '') && tokens[at + 2]?.text === ')';
    if (cast) {
      at += 3;
      return unary();
    }
    return postfix(primary());
  }
  function postfix(start: Compiled): Compiled {
    let base = start;
    for (;;) {
      const of = base;
      if (accept('.')) {
        const name = next().text;
        at += 1;
        skipTypeParameter();
        if (accept('(')) base = called(of, name, parameters());
        else base = (roots) => member(of(roots), name);
      } else if (accept('[')) {
        const name = value();
        base = (roots) => member(of(roots), String(name(roots)));
        expect(']');
      } else return base;
    }
  }
  /** `As<string>(...)`: values here have no types, so that the one asked for does not matter. */
  function skipTypeParameter(): void {
    const [open, , closes] = tokens.slice(at, at + 3).map(({ text }) => text);
    if (open === '<' && closes === '>' && casts.has(tokens[at + 1]?.text ?? '')) at += 3;
  }
  function parameters(): Compiled[] {
    const list: Compiled[] = [];
    while (!accept(')')) {
      const isNamedArgument = next().kind === 'name' && tokens[at + 1]?.text === ':';
      if (isNamedArgument) at += 2;
      list.push(value());
      accept(',');
    }
    return list;
  }
  function primary(): Compiled {
    const { kind, text } = next();
    at += 1;
    if (kind === 'number') return () => Number(text);
    if (kind === 'text') return () => text;
    if (text === '(') {
      const inner = value();
      expect(')');
      return inner;
    }
    if (text === 'true' || text === 'false') return () => text === 'true';
    if (text === 'null') return () => null;
    if (text === 'new') {
      const name = next().text;
      at += 1;
      expect('(');
      return called((roots) => roots, name, parameters());
    }
    if (kind !== 'name') throw new SyntaxError(`"${text}" is not known`);
    return (roots) => {
      if (!(text in roots)) throw new SyntaxError(`"${text}" is not known`);
      return roots[text];
    };
  }

  const result = value();
  if (next().kind !== 'end') throw new SyntaxError(`"${next().text}" stands behind the end`);
  return result;
}

function called(base: Compiled, name: string, values: readonly Compiled[]): Compiled {
  return (roots) =>
    call(
      base(roots),
      name,
      values.map((value) => value(roots)),
    );
}

const operations: Readonly<Record<string, (left: CSharp, right: CSharp) => CSharp>> = {
  '||': (left, right) => left === true || right === true,
  '&&': (left, right) => left === true && right === true,
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => Number(left) < Number(right),
  '<=': (left, right) => Number(left) <= Number(right),
  '>': (left, right) => Number(left) > Number(right),
  '>=': (left, right) => Number(left) >= Number(right),
  '+': (left, right) =>
    typeof left === 'string' || typeof right === 'string' ? `${left}${right}` : Number(left) + Number(right),
  '-': (left, right) => Number(left) - Number(right),
  '*': (left, right) => Number(left) * Number(right),
  '/': (left, right) => Number(left) / Number(right),
};

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
