/** Follows grammar rules written as text: the parts of T-SQL whose syntax is checked, but which this server does not run. */
import { type Position, type SqlError, sqlErrorAt, unsupported } from '../sql-error.ts';
import { Cursor } from './cursor.ts';
import { syntax } from './unsupported-syntax.ts';

type Rule =
  | { readonly kind: 'word' | 'operator' | 'call' | 'fail'; readonly text: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Rule[] }
  | { readonly kind: 'optional' | 'repeated' | 'list'; readonly part: Rule };

/** A rule that the parser has as a method, and how it tells that the rule begins here. */
export interface Nonterminal {
  readonly starts: () => boolean;
  readonly parse: () => unknown;
}

/** Parses what the rules of `unsupported-syntax.ts` describe; the first such construct is refused when the whole batch has been read. */
export abstract class GrammarParser extends Cursor {
  /** 40517 for the first construct that is T-SQL but not in the subset. */
  protected refusal: SqlError | undefined;

  protected abstract nonterminal(name: string): Nonterminal | undefined;

  /** Remembers that a construct is not supported; a syntax error after it comes first. */
  protected refuse(construct: string, at: Position): void {
    this.refusal ??= unsupported(construct, at);
  }

  /** Parses a construct that is not supported, by its rule. */
  protected follow(rule: string, construct: string, at: Position = this.place()): void {
    this.refuse(construct, at);
    this.run(ruleOf(rule));
  }

  /** Whether a rule begins here. */
  protected begins(rule: string): boolean {
    return this.starts(ruleOf(rule), 0);
  }

  /** Parses a construct that is not supported where it begins here, and says whether it did. */
  protected accepts(rule: string, construct: string): boolean {
    if (!this.begins(rule)) return false;
    this.follow(rule, construct);
    return true;
  }

  /** Parses a construct that changes no result, by its rule, where it begins here. */
  protected passes(rule: string): boolean {
    if (!this.begins(rule)) return false;
    this.run(ruleOf(rule));
    return true;
  }

  private run(rule: Rule): void {
    switch (rule.kind) {
      case 'word':
        this.expect(rule.text);
        return;
      case 'operator':
        this.expectOperator(rule.text);
        return;
      case 'call':
        this.call(rule.text);
        return;
      case 'fail':
        throw sqlErrorAt(this.place(), Number(rule.text), this.peek().text);
      case 'sequence':
        for (const part of rule.parts) this.run(part);
        return;
      case 'choice':
        this.choose(rule.parts);
        return;
      case 'optional':
        if (this.starts(rule.part, 0)) this.run(rule.part);
        return;
      case 'repeated':
        while (this.starts(rule.part, 0)) this.run(rule.part);
        return;
      case 'list':
        this.list(() => this.run(rule.part));
    }
  }

  private call(name: string): void {
    const nonterminal = this.nonterminal(name);
    if (nonterminal) nonterminal.parse();
    else this.run(ruleOf(name));
  }

  private choose(parts: readonly Rule[]): void {
    const found = parts.find((part) => this.starts(part, 0));
    if (!found) throw this.unexpected();
    this.run(found);
  }

  /** Whether a rule may begin here, by its leading words. */
  private starts(rule: Rule, ahead: number): boolean {
    switch (rule.kind) {
      case 'word':
        return this.peek(ahead).kind === 'word' && this.peek(ahead).value === rule.text;
      case 'operator':
        return this.isOperator(rule.text, ahead);
      case 'call': {
        const nonterminal = this.nonterminal(rule.text);
        if (!nonterminal) return this.starts(ruleOf(rule.text), ahead);
        return ahead === 0 ? nonterminal.starts() : this.mayBe(rule.text, ahead);
      }
      case 'fail':
        return true;
      case 'choice':
        return rule.parts.some((part) => this.starts(part, ahead));
      case 'sequence':
        return this.sequenceStarts(rule.parts, ahead);
      default:
        return this.starts(rule.part, ahead);
    }
  }

  /** A construct that begins further on is recognised by its kind of token only. */
  private mayBe(name: string, ahead: number): boolean {
    const { kind } = this.peek(ahead);
    if (name === 'string') return kind === 'string' || kind === 'unicode';
    return name === 'variable' ? kind === name : true;
  }

  /** Looks ahead over what is one token each; what comes after the first rule is not looked at. */
  private sequenceStarts(parts: readonly Rule[], ahead: number): boolean {
    const [first, ...rest] = parts;
    if (!first) return true;
    const isOptional = first.kind === 'optional' || first.kind === 'repeated';
    if (isOptional && this.sequenceStarts(rest, ahead)) return true;
    if (!this.starts(first, ahead)) return false;
    return !isToken(first) || this.sequenceStarts(rest, ahead + 1);
  }
}

function isToken(rule: Rule): boolean {
  if (rule.kind === 'choice') return rule.parts.every(isToken);
  return rule.kind === 'optional' ? isToken(rule.part) : rule.kind === 'word' || rule.kind === 'operator';
}

const rules = new Map<string, Rule>();
const texts = new Map(
  syntax
    .trim()
    .split(/\n(?=\S)/)
    .map((line) => line.split(/ = ([\s\S]*)/) as [string, string]),
);

function ruleOf(name: string): Rule {
  const cached = rules.get(name);
  if (cached) return cached;
  const text = texts.get(name);
  if (text === undefined) throw new RangeError(`There is no rule ${name}`);
  const words = text.trim().split(/\s+/);
  const rule = choiceOf(words);
  rules.set(name, rule);
  return rule;
}

const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}', '<': '>' };

/** choice = sequence {'|' sequence}, up to the bracket that closes it */
function choiceOf(words: string[]): Rule {
  const parts = [sequenceOf(words)];
  while (words[0] === '|') {
    words.shift();
    parts.push(sequenceOf(words));
  }
  return parts.length === 1 && parts[0] ? parts[0] : { kind: 'choice', parts };
}

function sequenceOf(words: string[]): Rule {
  const parts: Rule[] = [];
  while (words[0] !== undefined && !['|', ']', '}', '>', '>...'].includes(words[0]))
    parts.push(itemOf(words));
  return parts.length === 1 && parts[0] ? parts[0] : { kind: 'sequence', parts };
}

/** item = '[' optional ']' | '{' repeated '}' | '<' group '>' | WORD | operator | rule | '!' error number; '...' makes it a list */
function itemOf(words: string[]): Rule {
  const word = words.shift() ?? '';
  if (closing[word] === undefined) return simpleItem(word);
  const part = choiceOf(words);
  const end = words.shift() ?? '';
  if (word === '[') return { kind: 'optional', part };
  if (word === '{') return { kind: 'repeated', part };
  return end === '>...' ? { kind: 'list', part } : part;
}

function simpleItem(word: string): Rule {
  if (word.length > 3 && word.endsWith('...')) return { kind: 'list', part: simpleItem(word.slice(0, -3)) };
  if (/^!\d+$/.test(word)) return { kind: 'fail', text: word.slice(1) };
  if (/^[A-Z$][A-Z0-9_]*$/.test(word)) return { kind: 'word', text: word };
  return { kind: /^[a-z]/i.test(word) ? 'call' : 'operator', text: word };
}
