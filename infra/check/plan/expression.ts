/** Expressions of Bicep and HCL, compiled to functions: what they compute for given names. */

import { type Data, elements, entriesOf, keyed, member, operate, textOf } from './data.ts';
import { type Dialect, readString, type Token, tokenize } from './tokens.ts';

/** Where names get their values. */
export interface Scope {
  readonly lookup: (name: string) => Data | undefined;
  readonly call: (name: string, values: readonly (() => Data)[]) => Data;
}

export type Expression = (scope: Scope) => Data;

/** Compiles an expression. Throws a SyntaxError for anything else. */
export function compile(text: string, dialect: Dialect): Expression {
  const cached = compiled[dialect].get(text);
  if (cached) return cached;
  const made = compileNew(text, dialect);
  compiled[dialect].set(text, made);
  return made;
}

const compiled = { bicep: new Map<string, Expression>(), terraform: new Map<string, Expression>() };

function compileNew(text: string, dialect: Dialect): Expression {
  const parser = new Parser(tokenize(text, dialect), dialect);
  const expression = parser.value();
  parser.expectEnd();
  return expression;
}

/** Compiles text with interpolations but without quotes, as hcl2json gives it. */
export function compileTemplate(text: string): Expression {
  return template(readString(text, 0, '').parts, 'terraform');
}

function template(parts: readonly string[], dialect: Dialect): Expression {
  const [only = ''] = parts;
  if (parts.length === 1) return () => only;
  const compiled = parts.map((part, index) => (index % 2 === 0 ? () => part : compile(part, dialect)));
  if (dialect === 'terraform' && parts.length === 3 && parts[0] === '' && parts[2] === '')
    return compiled[1] ?? (() => '');
  return (scope) => compiled.map((part) => textOf(part(scope))).join('');
}

/** Levels of binary operators, the loosest first. */
const levels: readonly (readonly string[])[] = [
  ['??'],
  ['||'],
  ['&&'],
  ['==', '!=', '=~', '!~'],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];

class Parser {
  private at = 0;
  private readonly tokens: readonly Token[];
  private readonly dialect: Dialect;
  constructor(tokens: readonly Token[], dialect: Dialect) {
    this.tokens = tokens;
    this.dialect = dialect;
  }

  private get next(): Token {
    return this.tokens[this.at] ?? { kind: 'end', text: '', line: false };
  }
  private is(text: string): boolean {
    return this.next.kind !== 'string' && this.next.text === text;
  }
  private accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.at += 1;
    return true;
  }
  private take(): Token {
    const token = this.next;
    this.at += 1;
    return token;
  }
  private expect(text: string): void {
    if (!this.accept(text))
      throw new SyntaxError(`Expected ${text} before ${JSON.stringify(this.next.text)}`);
  }
  expectEnd(): void {
    if (this.next.kind !== 'end')
      throw new SyntaxError(`Cannot read from ${JSON.stringify(this.next.text)} on`);
  }

  // value: binary [ "?" value ":" value ]
  value(): Expression {
    const condition = this.binary(0);
    if (!this.accept('?')) return condition;
    const yes = this.value();
    this.expect(':');
    const no = this.value();
    return (scope) => (condition(scope) === true ? yes(scope) : no(scope));
  }

  private binary(level: number): Expression {
    const operators = levels[level];
    if (!operators) return this.unary();
    let leftSide = this.binary(level + 1);
    for (;;) {
      const operator = operators.find((operator) => this.next.kind === 'sign' && this.is(operator));
      if (operator === undefined) return leftSide;
      this.at += 1;
      const [item, other] = [leftSide, this.binary(level + 1)];
      leftSide = (scope) =>
        operate(
          operator,
          () => item(scope),
          () => other(scope),
        );
    }
  }

  private unary(): Expression {
    if (this.accept('!')) {
      const inner = this.unary();
      return (scope) => inner(scope) !== true;
    }
    if (this.accept('-')) {
      const inner = this.unary();
      return (scope) => -Number(inner(scope));
    }
    return this.postfix(this.primary());
  }

  private postfix(start: Expression): Expression {
    let base = start;
    for (;;) {
      const inner = base;
      if (this.accept('.') || this.accept('.?')) {
        if (this.is('*')) this.at += 1;
        else {
          const name = this.take().text;
          base = (scope) => member(inner(scope), name);
        }
      } else if ((this.is('[') || this.is('[?')) && !this.next.line) {
        this.at += 1;
        if (this.accept('*')) {
          this.expect(']');
          base = this.splat(inner);
        } else {
          const index = this.value();
          this.expect(']');
          base = (scope) => member(inner(scope), textOf(index(scope)));
        }
      } else return base;
    }
  }

  /** What follows `[*]` is read from each element. */
  private splat(list: Expression): Expression {
    const names: string[] = [];
    while (this.accept('.')) names.push(this.take().text);
    return (scope) => elements(list(scope)).map((item) => names.reduce<Data>(member, item));
  }

  private primary(): Expression {
    const token = this.take();
    if (token.kind === 'number') return () => Number(token.text);
    if (token.kind === 'string') return template(token.parts ?? [], this.dialect);
    if (token.text === '(') return this.parenthesized();
    if (token.text === '[') return this.list();
    if (token.text === '{') return this.object();
    if (token.kind === 'name') return this.reference(token.text);
    throw new SyntaxError(`Cannot read from ${JSON.stringify(token.text)} on`);
  }

  /** `(a)`, or a lambda `(a, b) => ...`. */
  private parenthesized(): Expression {
    const end = this.tokens.findIndex(({ text }, index) => index >= this.at && text === ')');
    if (this.tokens[end + 1]?.text === '=>') {
      const names = this.tokens.slice(this.at, end).filter(({ kind }) => kind === 'name');
      this.at = end + 2;
      return this.lambda(names.map(({ text }) => text));
    }
    const inner = this.value();
    this.expect(')');
    return inner;
  }

  private reference(name: string): Expression {
    if (name === 'true' || name === 'false') return () => name === 'true';
    if (name === 'null') return () => null;
    if (this.dialect === 'bicep' && this.accept('=>')) return this.lambda([name]);
    if (this.is('(') && !this.next.line) return this.call(name);
    return (scope) => {
      const value = scope.lookup(name);
      if (value === undefined) throw new ReferenceError(`There is no ${name}`);
      return value;
    };
  }

  private lambda(names: readonly string[]): Expression {
    const body = this.value();
    return (scope) =>
      (...values: Data[]) =>
        body(within(scope, Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]))));
  }

  private call(name: string): Expression {
    this.expect('(');
    const values: Expression[] = [];
    while (!this.accept(')')) {
      values.push(this.value());
      this.accept('...');
      this.accept(',');
    }
    return (scope) =>
      scope.call(
        name,
        values.map((value) => () => value(scope)),
      );
  }

  private list(): Expression {
    if (this.is('for')) return this.loop(']');
    const items: Expression[] = [];
    while (!this.accept(']')) {
      items.push(this.value());
      this.accept(',');
    }
    return (scope) => items.map((item) => item(scope));
  }

  private object(): Expression {
    if (this.dialect === 'terraform' && this.is('for')) return this.loop('}');
    const entries: [Expression, Expression][] = [];
    while (!this.accept('}')) {
      const key = this.key();
      if (!this.accept(':')) this.expect('=');
      entries.push([key, this.value()]);
      this.accept(',');
    }
    return (scope) => Object.fromEntries(entries.map(([key, value]) => [textOf(key(scope)), value(scope)]));
  }

  private key(): Expression {
    if (this.next.kind === 'name') {
      const { text } = this.take();
      return () => text;
    }
    return this.primary();
  }

  // bicep: for x in list: [if (c)] body      for (x, i) in list: body
  // terraform: for [k,] v in list : value [=> value] [if c]
  private loop(close: string): Expression {
    this.expect('for');
    const bracketed = this.accept('(');
    const names = [this.take().text];
    while (this.accept(',')) names.push(this.take().text);
    if (bracketed) this.expect(')');
    this.expect('in');
    const list = this.value();
    this.expect(':');
    return this.dialect === 'bicep' ? this.bicepLoop(names, list) : this.hclLoop(names, list, close);
  }

  private bicepLoop(names: readonly string[], list: Expression): Expression {
    const condition = this.accept('if') ? this.unary() : () => true;
    const body = this.value();
    this.expect(']');
    return (scope) =>
      elements(list(scope)).map((item, index) => {
        const inner = within(scope, keyed(names, [item, index]));
        // A resource that a loop leaves out keeps its place in the list.
        return condition(inner) === true ? body(inner) : null;
      });
  }

  private hclLoop(names: readonly string[], list: Expression, close: string): Expression {
    const first = this.value();
    const second = this.accept('=>') ? this.value() : undefined;
    const grouped = this.accept('...');
    const condition = this.accept('if') ? this.value() : () => true;
    this.expect(close);
    if (grouped) throw new SyntaxError('Grouping of for is not read');
    return (scope) => {
      const made = entriesOf(list(scope)).flatMap(([key, item]) => {
        const inner = within(scope, keyed(names, names.length > 1 ? [key, item] : [item]));
        return condition(inner) === true ? [[first(inner), second?.(inner) ?? null] as const] : [];
      });
      return close === ']'
        ? made.map(([value]) => value)
        : Object.fromEntries(made.map(([key, value]) => [textOf(key), value]));
    };
  }
}

/** A scope with more names. */
export function within(scope: Scope, names: Readonly<Record<string, Data>>): Scope {
  return { ...scope, lookup: (name) => (Object.hasOwn(names, name) ? names[name] : scope.lookup(name)) };
}
