import {
  type Expression,
  isCondition,
  type OrderItem,
  type Query,
  type TypeName,
  type Window,
} from '../ast.ts';
import { type Position, sqlErrorAt, unsupported } from '../sql-error.ts';
import { Cursor } from './cursor.ts';

/** Keywords that are functions when a parenthesis follows, or on their own. */
const functionKeywords = new Set([
  'LEFT',
  'RIGHT',
  'COALESCE',
  'NULLIF',
  'CONVERT',
  'TRY_CONVERT',
  'SCHEMA_NAME',
]);
const bareFunctions = new Set(['CURRENT_TIMESTAMP', 'CURRENT_USER', 'SESSION_USER', 'SYSTEM_USER', 'USER']);
const typesOfTwoWords: Readonly<Record<string, string>> = {
  'CHARACTER VARYING': 'varchar',
  'CHAR VARYING': 'varchar',
  'DOUBLE PRECISION': 'float',
  'BINARY VARYING': 'varbinary',
};

/** Parses what expressions are made of: literals, variables, columns, calls, CASE, casts, types. */
export abstract class PrimaryParser extends Cursor {
  protected abstract query(): Query;
  protected abstract any(): Expression;
  protected abstract expression(): Expression;
  protected abstract condition(): Expression;
  /** Checks that a variable that is read or assigned has been declared (137). */
  protected abstract variableRead(name: string, at: Position): void;

  protected textOfOperator(expression: Expression): string {
    return 'operator' in expression ? expression.operator : this.previous.text;
  }

  /** primary = literal | variable | '(' (query | any) ')' | CASE ... | function | column */
  protected primary(): Expression {
    const token = this.peek();
    const at = this.place();
    if (token.kind === 'operator' && token.text === '(') return this.group(at);
    if (token.kind === 'variable') return this.variableReference(at);
    if (token.kind === 'word' && !this.isIdentifier()) return this.keywordExpression(at);
    if (token.kind === 'word' || token.kind === 'quoted') return this.nameExpression(at);
    return this.literal(at);
  }

  private group(at: Position): Expression {
    this.next();
    const inner: Expression = this.isAny('SELECT', 'WITH')
      ? { kind: 'subquery', query: this.nested(() => this.query()), at }
      : this.any();
    this.expectOperator(')');
    return inner;
  }

  private literal(at: Position): Expression {
    const { kind, text, value } = this.peek();
    if (kind === 'string' || kind === 'unicode') {
      this.next();
      return { kind: 'string', value, unicode: kind === 'unicode', at };
    }
    if (kind === 'integer' || kind === 'decimal' || kind === 'float' || kind === 'money') {
      this.next();
      return { kind: 'number', form: kind, text, at };
    }
    if (kind !== 'binary') throw this.unexpected();
    this.next();
    return { kind: 'binary', hex: text.slice(2), at };
  }

  private variableReference(at: Position): Expression {
    const { text } = this.next();
    if (text.startsWith('@@')) return { kind: 'global', name: text.toUpperCase(), at };
    this.variableRead(text, at);
    return { kind: 'variable', name: text, at };
  }

  private keywordExpression(at: Position): Expression {
    const { value } = this.peek();
    if (this.accept('NULL')) return { kind: 'null', at };
    if (this.accept('DEFAULT')) return { kind: 'default', at };
    if (value === 'CASE') return this.case(at);
    if (functionKeywords.has(value) && this.isOperator('(', 1)) return this.call([this.next().text], at);
    if (bareFunctions.has(value)) {
      this.next();
      return { ...noArguments, name: value, at };
    }
    throw this.unexpected();
  }

  /** case = CASE [expression] {WHEN (condition | expression) THEN expression} [ELSE expression] END */
  private case(at: Position): Expression {
    this.expect('CASE');
    const operand = this.is('WHEN') ? undefined : this.expression();
    const branches: { when: Expression; result: Expression }[] = [];
    while (this.accept('WHEN')) {
      const when = operand ? this.expression() : this.condition();
      this.expect('THEN');
      branches.push({ when, result: this.expression() });
    }
    if (!branches.length) throw this.unexpected();
    const otherwise = this.accept('ELSE') ? this.expression() : undefined;
    this.expect('END');
    return { kind: 'case', operand, branches, otherwise, at };
  }

  /** column or function, by what follows the name */
  private nameExpression(at: Position): Expression {
    if (this.is('NEXT', 'VALUE', 'FOR')) throw unsupported('NEXT VALUE FOR', at);
    const parts = this.nameParts();
    if (!this.isOperator('(')) return { kind: 'column', parts, at };
    return this.call(parts, at);
  }

  /** call = name '(' ['*' | [DISTINCT] expression {',' expression}] ')' [WITHIN GROUP ...] [OVER ...] */
  private call(parts: readonly string[], at: Position): Expression {
    const name = parts.join('.').toUpperCase();
    if (/^(TRY_)?CAST$/.test(name)) return this.cast(name as 'CAST', at);
    if (/^(TRY_)?CONVERT$/.test(name)) return this.convert(name as 'CONVERT', at);
    this.expectOperator('(');
    const star = this.acceptOperator('*');
    const distinct = this.accept('DISTINCT');
    if (!distinct) this.accept('ALL');
    const empty = star || this.isOperator(')');
    const given = empty ? [] : this.list(() => this.argument(name));
    if (name === 'TRIM' && this.accept('FROM')) return this.trimOf(given, at);
    this.expectOperator(')');
    const withinGroup = this.accept('WITHIN', 'GROUP') ? this.parenthesized(() => this.orderBy()) : undefined;
    const over = this.accept('OVER') ? this.parenthesized(() => this.window()) : undefined;
    return { kind: 'call', name, arguments: given, distinct, star, withinGroup, over, at };
  }

  /** TRIM '(' characters FROM text ')', which is LTRIM of RTRIM */
  private trimOf([characters]: readonly Expression[], at: Position): Expression {
    const text = this.expression();
    this.expectOperator(')');
    const set = characters ? [characters] : [];
    const right: Expression = { ...noArguments, name: 'RTRIM', arguments: [text, ...set], at };
    return { ...noArguments, name: 'LTRIM', arguments: [right, ...set], at };
  }

  /** IIF takes a condition first; all else takes values. */
  private argument(name: string): Expression {
    const expression = this.any();
    if (isCondition(expression) && name !== 'IIF')
      throw sqlErrorAt(expression.at, 102, this.textOfOperator(expression));
    return expression;
  }

  /** cast = CAST '(' expression AS type ')' */
  private cast(form: 'CAST' | 'TRY_CAST', at: Position): Expression {
    return this.parenthesized(() => {
      const operand = this.expression();
      this.expect('AS');
      return { kind: 'cast', form, type: this.typeName(), operand, style: undefined, at };
    });
  }

  /** convert = CONVERT '(' type ',' expression [',' style] ')' */
  private convert(form: 'CONVERT' | 'TRY_CONVERT', at: Position): Expression {
    return this.parenthesized(() => {
      const type = this.typeName();
      this.expectOperator(',');
      const operand = this.expression();
      const style = this.acceptOperator(',') ? this.expression() : undefined;
      return { kind: 'cast', form, type, operand, style, at };
    });
  }

  /** window = [PARTITION BY list] [ORDER BY list] [(ROWS | RANGE) frame] */
  private window(): Window {
    const partition = this.accept('PARTITION', 'BY') ? this.list(() => this.expression()) : [];
    const order = this.is('ORDER') ? this.orderBy() : [];
    const unit = this.acceptAny('ROWS', 'RANGE');
    return { partition, order, frame: unit && `${unit} ${this.frameExtent()}` };
  }

  /** extent = bound | BETWEEN bound AND bound */
  private frameExtent(): string {
    if (!this.accept('BETWEEN')) return this.frameBound();
    const low = this.frameBound();
    this.expect('AND');
    return `BETWEEN ${low} AND ${this.frameBound()}`;
  }

  /** bound = UNBOUNDED (PRECEDING | FOLLOWING) | CURRENT ROW | integer (PRECEDING | FOLLOWING) */
  private frameBound(): string {
    if (this.accept('CURRENT', 'ROW')) return 'CURRENT ROW';
    const distance = this.accept('UNBOUNDED') ? 'UNBOUNDED' : String(this.integer());
    const direction = this.acceptAny('PRECEDING', 'FOLLOWING');
    if (!direction) throw this.unexpected();
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

  /** type = name ['(' (integer | MAX) {',' integer} ')'] */
  protected typeName(): TypeName {
    const at = this.place();
    const two = `${this.peek().value} ${this.peek(1).value}`;
    const known = this.peek(1).kind === 'word' ? typesOfTwoWords[two] : undefined;
    const national = this.accept('NATIONAL');
    const parts = known ? [this.next().text, this.next().text] : this.nameParts();
    if (national) this.accept('VARYING');
    const name = known ?? (national ? 'nvarchar' : (parts.at(-1) ?? '').toLowerCase());
    if (!known && parts.length > 1 && parts[0]?.toLowerCase() !== 'sys')
      throw sqlErrorAt(at, 2715, 1, parts.join('.'));
    const size = (): number | 'max' => (this.accept('MAX') ? 'max' : this.integer());
    const given = this.isOperator('(') ? this.parenthesized(() => this.list(size)) : [];
    return { name, arguments: given, at };
  }
}

const noArguments = {
  kind: 'call',
  arguments: [],
  distinct: false,
  star: false,
  withinGroup: undefined,
  over: undefined,
} as const;
