/** The primaries of expressions: literals, variables, columns, calls, CASE, casts. */
import { type Expression, isCondition, noArguments, type Query } from '../ast.ts';
import { type Position, sqlErrorAt } from '../sql-error.ts';
import { TypeParser } from './types.ts';

/** Keywords that are functions when a parenthesis follows, or alone. */
const functionKeywords = new Set('LEFT RIGHT COALESCE NULLIF CONVERT TRY_CONVERT SCHEMA_NAME'.split(' '));
const bareFunctions = new Set(
  'CURRENT_DATE CURRENT_TIMESTAMP CURRENT_USER SESSION_USER SYSTEM_USER USER'.split(' '),
);
/** Parses what expressions are made of: literals, variables, columns, calls, CASE, casts. */
export abstract class PrimaryParser extends TypeParser {
  protected abstract query(): Query;
  protected abstract any(): Expression;
  protected abstract condition(): Expression;
  /** Whether subqueries are refused where the parser is (1046). */
  protected isScalarContext = false;
  /** Checks that a variable that is read or assigned has been declared (137). */
  protected abstract variableRead(name: string, at: Position): void;
  protected abstract isDeclared(name: string): boolean;
  /** Whether `$action` may stand here. */
  protected abstract get mayReadAction(): boolean;

  protected textOfOperator(expression: Expression): string {
    return 'operator' in expression ? expression.operator : this.previous.text;
  }

  /** primary = literal | variable | '(' (query | any) ')' | CASE ... | function | column */
  protected primary(): Expression {
    const token = this.peek();
    const at = this.place();
    if (this.isOperator('(')) return this.group(at);
    if (this.isOperator('{')) return this.odbc(at);
    if (token.kind === 'variable') return this.variableReference(at);
    if (token.kind === 'word' && !this.isIdentifier()) return this.keywordExpression(at);
    if (token.kind === 'word' || token.kind === 'quoted') return this.nameExpression(at);
    return this.literal(at);
  }

  protected group(at: Position): Expression {
    this.expectOperator('(');
    const inner: Expression =
      this.is('SELECT') || this.isQueryInParentheses()
        ? { kind: 'subquery', query: this.subquery(), at }
        : this.any();
    this.expectOperator(')');
    return this.withMethods(inner);
  }

  /** Whether parentheses stand here, and in them a query. */
  protected isQueryInParentheses(): boolean {
    let ahead = 0;
    while (this.isOperator('(', ahead)) ahead++;
    return ahead > 0 && this.peek(ahead).kind === 'word' && this.peek(ahead).value === 'SELECT';
  }

  /** subquery = query without WITH and OPTION; refused where only scalar expressions may stand (1046) */
  protected subquery(): Query {
    if (this.isScalarContext) throw sqlErrorAt(this.place(), 1046);
    return this.nested(() => this.query());
  }

  /** Parses an expression in which no subquery may stand. */
  protected scalar<T>(inner: () => T): T {
    this.isScalarContext = true;
    const value = inner();
    this.isScalarContext = false;
    return value;
  }

  /** methods = {'.' name ['(' arguments ')']}: those of xml and CLR types are not supported */
  private withMethods(expression: Expression): Expression {
    while (this.begins('method')) this.follow('method', 'methods of data types');
    return expression;
  }

  protected literal(at: Position): Expression {
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
    if (text.startsWith('@@') && !this.isDeclared(text))
      return { kind: 'global', name: text.toUpperCase(), at };
    this.variableRead(text, at);
    return this.withMethods({ kind: 'variable', name: text, at });
  }

  private keywordExpression(at: Position): Expression {
    const { value } = this.peek();
    if (this.accept('NULL')) return { kind: 'null', at };
    if (value === 'CASE') return this.case(at);
    if (functionKeywords.has(value) && this.isOperator('(', 1))
      return this.functionCall([this.next().text], at);
    if (bareFunctions.has(value)) {
      this.next();
      if (value === 'CURRENT_DATE') this.refuse(value, at);
      return { ...noArguments, name: value, at };
    }
    if (this.accepts('identityColumn', 'IDENTITY in SELECT INTO')) return { kind: 'null', at };
    throw this.unexpected();
  }

  /** value = DEFAULT | expression, where DEFAULT may stand: in VALUES, SET and calls of functions */
  protected valueOrDefault(): Expression {
    const at = this.place();
    return this.accept('DEFAULT') ? { kind: 'default', at } : this.expression();
  }

  /** odbc = '{' (FN call | word string) '}' */
  private odbc(at: Position): Expression {
    this.expectOperator('{');
    this.refuse('ODBC escapes', at);
    if (this.accept('FN')) this.expression();
    else {
      this.identifier();
      this.string();
    }
    this.expectOperator('}');
    return { kind: 'null', at };
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
    if (this.accepts('nextValue', 'NEXT VALUE FOR')) return { kind: 'null', at };
    const isAction = this.peek().value === '$ACTION' && this.mayReadAction;
    if (this.peek().value.startsWith('$') && !isAction) this.refuse(this.peek().text, at);
    const parts = this.nameParts();
    if (!this.isOperator('(')) return this.withMethods({ kind: 'column', parts, at });
    return this.withMethods(this.functionCall(parts, at));
  }

  /** call = name '(' ['*' | [ALL | DISTINCT] expression {',' expression}] ')' [WITHIN GROUP ...] [nulls] [OVER ...] */
  private functionCall(parts: readonly string[], at: Position): Expression {
    const name = parts.join('.').toUpperCase();
    if (/^(TRY_)?CAST$/.test(name)) return this.cast(name as 'CAST', at);
    if (/^(TRY_)?CONVERT$/.test(name)) return this.convert(name as 'CONVERT', at);
    if (/^(TRY_)?PARSE$/.test(name)) return this.special('parsed', name, at);
    this.expectOperator('(');
    const star = this.acceptOperator('*');
    const set = star ? undefined : this.acceptAny('DISTINCT', 'ALL');
    const given = star ? [] : this.argumentsOf(name, set !== undefined);
    if (name === 'TRIM' && this.accept('FROM')) return this.trimOf(given, at);
    this.expectOperator(')');
    const withinGroup = this.accept('WITHIN', 'GROUP') ? this.parenthesized(() => this.orderBy()) : undefined;
    this.accepts('nulls', `${this.peek().text} NULLS`);
    const over = this.accept('OVER') ? this.over() : undefined;
    if (over && set === 'DISTINCT') throw sqlErrorAt(at, 10759);
    const distinct = set === 'DISTINCT';
    return { kind: 'call', name, arguments: given, distinct, star, withinGroup, over, at };
  }

  private special(rule: string, name: string, at: Position): Expression {
    this.follow(rule, name, at);
    return { kind: 'null', at };
  }

  /** arguments = [any {',' any}], or what JSON_OBJECT, JSON_ARRAY and TRIM take; only one after DISTINCT */
  private argumentsOf(name: string, single: boolean): Expression[] {
    if (/^JSON_(OBJECT|OBJECTAGG|ARRAYAGG)$/.test(name)) return this.jsonArguments(name);
    if (name === 'TRIM' && this.begins('trimmed')) this.follow('trimmed', `TRIM (${this.peek().text}`);
    if (this.isOperator(')')) return [];
    let isFirstOfIif = name === 'IIF';
    const argument = () => {
      const value = this.argument(isFirstOfIif);
      isFirstOfIif = false;
      return value;
    };
    const given = single ? [argument()] : this.list(argument);
    if (name === 'JSON_ARRAY') this.accepts('jsonNulls', name);
    return given;
  }

  private jsonArguments(name: string): Expression[] {
    this.refuse(name, this.place());
    const entry = () => {
      this.expression();
      if (name !== 'JSON_ARRAYAGG') this.expectOperator(':');
      if (name !== 'JSON_ARRAYAGG') this.expression();
    };
    if (!this.isOperator(')') && !this.begins('jsonNulls')) this.list(entry);
    if (this.is('ORDER')) this.orderBy();
    this.accepts('jsonNulls', name);
    return [];
  }

  /** TRIM '(' characters FROM text ')', which is LTRIM of RTRIM */
  private trimOf([characters]: readonly Expression[], at: Position): Expression {
    const text = this.expression();
    this.expectOperator(')');
    const set = characters ? [characters] : [];
    const right: Expression = { ...noArguments, name: 'RTRIM', arguments: [text, ...set], at };
    return { ...noArguments, name: 'LTRIM', arguments: [right, ...set], at };
  }

  /** IIF takes a condition first; all else are values. */
  private argument(mayBeCondition: boolean): Expression {
    const at = this.place();
    if (this.accept('DEFAULT')) return { kind: 'default', at };
    const expression = this.any();
    if (isCondition(expression) && !mayBeCondition)
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
      const text = this.isString() ? this.next() : undefined;
      const type = text ? { name: text.value, arguments: [], at } : this.typeName();
      this.expectOperator(',');
      if (text) throw sqlErrorAt(at, 243, text.value);
      const operand = this.expression();
      const style = this.acceptOperator(',') ? this.expression() : undefined;
      return { kind: 'cast', form, type, operand, style, at };
    });
  }
}
