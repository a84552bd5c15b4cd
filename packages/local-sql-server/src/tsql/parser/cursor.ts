import { reservedKeywords } from '../keywords.ts';
import { type Token, tokenize } from '../lexer.ts';
import { outsideConstruct } from '../outside.ts';
import { type Position, type SqlError, sqlErrorAt, unsupported } from '../sql-error.ts';

/** Nesting that no sensible statement reaches; deeper text is refused (191) rather than overflowing the stack. */
const deepestNesting = 200;

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

  /** 102 or 156, at the token that stands here; 102 at the last one, when the text is over; 40517 where T-SQL has more than this server. */
  protected unexpected(): SqlError {
    if (this.atEnd && !outsideConstruct(this.#wordsAround(this.peek())))
      return sqlErrorAt(this.previous, 102, this.previous.text);
    return this.unexpectedAt(this.peek());
  }

  protected unexpectedAt(token: Token): SqlError {
    const construct = outsideConstruct(this.#wordsAround(token));
    if (construct) return unsupported(construct, token);
    if (token.kind === 'word' && reservedKeywords.has(token.value)) return sqlErrorAt(token, 156, token.text);
    return sqlErrorAt(
      token,
      102,
      token.kind === 'string' || token.kind === 'unicode' ? token.value : token.text,
    );
  }

  #wordsAround(token: Token): string {
    const index = this.#tokens.indexOf(token);
    return this.#tokens
      .slice(Math.max(index - 3, 0), index + 4)
      .map(({ kind, value, text }) => (kind === 'word' ? value : text))
      .join(' ');
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
    if (this.peek().kind !== 'variable' || this.peek().text.startsWith('@@')) throw this.unexpected();
    return this.next().text;
  }

  /** integer = ['-'] digits */
  protected integer(): number {
    const sign = this.acceptOperator('-') ? -1 : 1;
    if (this.peek().kind !== 'integer') throw this.unexpected();
    return sign * Number(this.next().text);
  }

  /** name = [[[identifier] '.'] [identifier] '.'] identifier ('.' may be doubled: an empty part means the default) */
  protected nameParts(): string[] {
    const parts = [this.identifier()];
    while (this.isOperator('.') && (this.isIdentifier(1) || this.isOperator('.', 1))) {
      this.next();
      parts.push(this.isOperator('.') ? '' : this.identifier());
    }
    if (parts.length > 4) throw this.unexpected();
    return parts;
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
    if (++this.#depth > deepestNesting) throw sqlErrorAt(this.peek(), 191);
    try {
      return inner();
    } finally {
      this.#depth--;
    }
  }
}
