/** Walks over the tokens of a batch; the base of all parsers. */
import { reservedKeywords } from '../keywords.ts';
import { type Token, tokenize } from '../lexer.ts';
import { type Position, type SqlError, sqlErrorAt } from '../sql-error.ts';

/** Nesting that no sensible statement reaches; deeper text is refused (191) rather than overflowing the stack. */
const maxNesting = 200;

/** Walks the tokens of a batch: looks ahead, accepts what may come, and insists on what must. */
export class Cursor {
  protected readonly sql: string;
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;

  constructor(sql: string) {
    this.sql = sql;
    this.#tokens = tokenize(sql);
  }

  /** The token `ahead` places further on; past the end it stays the end token. */
  protected peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#index + ahead, this.#tokens.length - 1)];
    if (!token) throw new RangeError('A list of tokens ends in an end token');
    return token;
  }

  protected get previous(): Token {
    return this.#tokens[Math.max(this.#index - 1, 0)] ?? this.peek();
  }

  protected isPrevious(word: string): boolean {
    return this.previous.kind === 'word' && this.previous.value === word;
  }

  protected get atStart(): boolean {
    return this.#index === 0;
  }

  protected get atEnd(): boolean {
    return this.peek().kind === 'end';
  }

  protected place(): Position {
    const { line, column } = this.peek();
    return { line, column };
  }

  protected next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.#index++;
    return token;
  }

  /** Whether the words stand here, in this order. */
  protected is(...words: readonly string[]): boolean {
    return words.every((word, ahead) => this.peek(ahead).kind === 'word' && this.peek(ahead).value === word);
  }

  protected isAny(...words: readonly string[]): boolean {
    return this.peek().kind === 'word' && words.includes(this.peek().value);
  }

  protected isOperator(text: string, ahead = 0): boolean {
    return this.peek(ahead).kind === 'operator' && this.peek(ahead).text === text;
  }

  protected accept(...words: readonly string[]): boolean {
    if (!this.is(...words)) return false;
    this.#index += words.length;
    return true;
  }

  protected acceptAny(...words: readonly string[]): string | undefined {
    return this.isAny(...words) ? this.next().value : undefined;
  }

  protected acceptOperator(text: string): boolean {
    if (!this.isOperator(text)) return false;
    this.#index++;
    return true;
  }

  protected expect(...words: readonly string[]): void {
    for (const word of words) if (!this.accept(word)) throw this.unexpected();
  }

  protected expectOperator(text: string): void {
    if (!this.acceptOperator(text)) throw this.unexpected();
  }

  /** 102 or 156, at the token that stands here; 102 at the last one, when the text is over. */
  protected unexpected(): SqlError {
    return this.atEnd ? sqlErrorAt(this.previous, 102, this.previous.text) : this.unexpectedAt(this.peek());
  }

  protected unexpectedAt({ kind, value, text, ...at }: Token): SqlError {
    if (kind === 'word' && reservedKeywords.has(value)) return sqlErrorAt(at, 156, text);
    return sqlErrorAt(at, 102, kind === 'string' || kind === 'unicode' ? value : text);
  }

  protected isIdentifier(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'quoted' || (token.kind === 'word' && !reservedKeywords.has(token.value));
  }

  /** identifier = word that is no keyword | '[' ... ']' | '"' ... '"' */
  protected identifier(): string {
    if (!this.isIdentifier()) throw this.unexpected();
    const token = this.next();
    return token.kind === 'quoted' ? token.value : token.text;
  }

  protected variable(): string {
    if (this.peek().kind !== 'variable') throw this.unexpected();
    return this.next().text;
  }

  /** integer = digits */
  protected integer(): number {
    if (this.peek().kind !== 'integer') throw this.unexpected();
    return Number(this.next().text);
  }

  protected get atNumber(): boolean {
    return ['integer', 'decimal', 'float', 'money'].includes(this.peek().kind);
  }

  /** signed = ['-' | '+'] number */
  protected signed(): string {
    const sign = this.acceptOperator('-') ? '-' : '';
    if (sign === '') this.acceptOperator('+');
    if (!this.atNumber) throw this.unexpected();
    return sign + this.next().text;
  }

  protected isString(): boolean {
    return ['string', 'unicode'].includes(this.peek().kind);
  }

  protected string(): string {
    if (!this.isString()) throw this.unexpected();
    return this.next().value;
  }

  protected get startsName(): boolean {
    return this.isIdentifier() || this.isOperator('.');
  }

  /** name = {[identifier] '.'} identifier: up to four parts; an empty one means the default (117 for more) */
  protected nameParts(): string[] {
    const at = this.peek();
    const parts: string[] = [];
    do parts.push(this.isOperator('.') ? '' : this.identifier());
    while (this.isNextPart() && this.next());
    if (parts.length > 4) throw sqlErrorAt(at, 117, parts.join('.'), 3);
    return parts;
  }

  private isNextPart(): boolean {
    return this.isOperator('.') && (this.isIdentifier(1) || this.isOperator('.', 1));
  }

  protected name(): { parts: string[]; at: Position } {
    const at = this.place();
    return { parts: this.nameParts(), at };
  }

  /** list = item {',' item} */
  protected list<T>(item: () => T): T[] {
    const items = [item()];
    while (this.acceptOperator(',')) items.push(item());
    return items;
  }

  protected parenthesized<T>(inner: () => T): T {
    this.expectOperator('(');
    const value = inner();
    this.expectOperator(')');
    return value;
  }

  /** The text between two tokens, as it stands in the batch. */
  protected textFrom(start: Token): string {
    return this.sql.slice(start.start, this.previous.end);
  }

  /** Goes one level deeper for `inner`, and refuses what is nested too deeply. */
  protected nested<T>(inner: () => T): T {
    if (++this.#depth > maxNesting) throw sqlErrorAt(this.peek(), 191);
    try {
      return inner();
    } finally {
      this.#depth--;
    }
  }
}
