/** Types and windows: what stands behind AS and OVER in an expression. */
import type { Expression, OrderItem, TypeName, Window } from '../ast.ts';
import { type Position, sqlErrorAt } from '../sql-error.ts';
import { GrammarParser } from './grammar.ts';

/** Types that take no size (2716). */
const typesWithoutSize = new Set(
  `bigint int integer smallint tinyint bit money smallmoney real datetime smalldatetime date uniqueidentifier text ntext
  image sql_variant timestamp rowversion sysname`.split(/\s+/),
);
const typesOfTwoWords: Readonly<Record<string, string>> = {
  'CHARACTER VARYING': 'varchar',
  'CHAR VARYING': 'varchar',
  'DOUBLE PRECISION': 'float',
  'BINARY VARYING': 'varbinary',
};

/** Parses types, ORDER BY and the windows of OVER. */
export abstract class TypeParser extends GrammarParser {
  protected abstract expression(): Expression;

  /** over = name | '(' [name] window ')' */
  protected over(): Window {
    if (!this.isOperator('(')) {
      this.refuse('OVER with the name of a window', this.place());
      this.identifier();
      return { partition: [], order: [], frame: undefined };
    }
    return this.parenthesized(() => {
      if (this.isIdentifier() && !this.isAny('PARTITION', 'ROWS', 'RANGE')) {
        this.refuse('OVER with the name of a window', this.place());
        this.identifier();
        if (this.isOperator(')')) throw this.unexpected();
      }
      return this.window();
    });
  }

  /** window = [PARTITION BY list] [ORDER BY list] [(ROWS | RANGE) frame] */
  protected window(): Window {
    const partition = this.accept('PARTITION', 'BY') ? this.list(() => this.expression()) : [];
    const order = this.is('ORDER') ? this.orderBy() : [];
    const unit = this.acceptAny('ROWS', 'RANGE');
    return { partition, order, frame: unit && `${unit} ${this.frameExtent(unit)}` };
  }

  /** extent = preceding | BETWEEN bound AND bound */
  private frameExtent(unit: string): string {
    if (!this.accept('BETWEEN')) return this.frameBound(unit, ['PRECEDING']);
    const low = this.frameBound(unit, ['PRECEDING', 'FOLLOWING']);
    this.expect('AND');
    return `BETWEEN ${low} AND ${this.frameBound(unit, ['PRECEDING', 'FOLLOWING'])}`;
  }

  /** bound = UNBOUNDED (PRECEDING | FOLLOWING) | CURRENT ROW | integer (PRECEDING | FOLLOWING); no number in RANGE (4194) */
  private frameBound(unit: string, directions: readonly string[]): string {
    if (this.accept('CURRENT', 'ROW')) return 'CURRENT ROW';
    const at = this.place();
    const distance = this.accept('UNBOUNDED') ? 'UNBOUNDED' : String(this.integer());
    const direction = this.acceptAny(...directions);
    if (!direction) throw this.unexpected();
    if (unit === 'RANGE' && distance !== 'UNBOUNDED') throw sqlErrorAt(at, 4194);
    return `${distance} ${direction}`;
  }

  /** orderBy = ORDER BY expression [ASC | DESC] {',' ...} */
  protected orderBy(): OrderItem[] {
    this.expect('ORDER', 'BY');
    return this.list(() => {
      const expression = this.expression();
      return { expression, descending: this.acceptAny('ASC', 'DESC') === 'DESC' };
    });
  }

  /** type = name ['(' (integer | MAX) [',' integer] ')'] */
  protected typeName(): TypeName {
    const at = this.place();
    const two = `${this.peek().value} ${this.peek(1).value}`;
    const twoWordType = this.peek(1).kind === 'word' ? typesOfTwoWords[two] : undefined;
    const national = this.accept('NATIONAL');
    const parts = twoWordType ? [this.next().text, this.next().text] : this.nameParts();
    if (national) this.accept('VARYING');
    const name = twoWordType ?? (national ? 'nvarchar' : (parts.at(-1) ?? '').toLowerCase());
    const isOwn = !twoWordType && parts.length > 1 && parts[0]?.toLowerCase() !== 'sys';
    return { name: isOwn ? parts.join('.') : name, arguments: this.typeSize(name, at), at };
  }

  private typeSize(name: string, at: Position): (number | 'max')[] {
    if (!this.isOperator('(')) return [];
    if (name === 'xml') {
      this.next();
      this.acceptAny('CONTENT', 'DOCUMENT');
      this.nameParts();
      this.expectOperator(')');
      return [];
    }
    const given = this.parenthesized(() => {
      if (this.accept('MAX')) return ['max' as const];
      const first = this.integer();
      return this.acceptOperator(',') ? [first, this.integer()] : [first];
    });
    const isDecimal = ['decimal', 'numeric', 'dec'].includes(name);
    if (typesWithoutSize.has(name) || (given.length > 1 && !isDecimal)) throw sqlErrorAt(at, 2716, 1, name);
    return given;
  }
}
