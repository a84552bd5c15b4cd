/** Operators and conditions, by precedence. */
import { type Expression, isCondition, noArguments, type Query } from '../ast.ts';
import { type Position, sqlErrorAt } from '../sql-error.ts';
import { PrimaryParser } from './primaries.ts';

const comparisons = new Set(['=', '<>', '!=', '<', '>', '<=', '>=', '!<', '!>']);
const additive = new Set(['+', '-', '&', '|', '^', '<<', '>>', '||']);
const sameComparison: Readonly<Record<string, string>> = { '!=': '<>', '!<': '>=', '!>': '<=' };
/** Parses expressions and conditions. T-SQL keeps truth values apart from values, so each place asks for one of them. */
export abstract class ExpressionParser extends PrimaryParser {
  /** expression = any, but no condition */
  protected override expression(): Expression {
    const start = this.peek();
    const expression = this.any();
    if (isCondition(expression)) throw sqlErrorAt(start, 102, this.textOfOperator(expression));
    return expression;
  }

  /** condition = any that gives a truth value */
  protected override condition(): Expression {
    const expression = this.any();
    if (!isCondition(expression)) throw this.notACondition();
    return expression;
  }

  private notACondition() {
    // Outer joins of old: *= and =*.
    if (this.isOperator('*=')) return this.unexpected();
    const token = this.atEnd ? this.previous : this.peek();
    return sqlErrorAt(token, 4145, token.text);
  }

  /** any = conjunction {OR conjunction} */
  protected override any(): Expression {
    return this.nested(() => {
      let left = this.conjunction();
      while (this.is('OR')) left = this.logic(left, () => this.conjunction());
      return left;
    });
  }

  /** conjunction = negation {AND negation} */
  private conjunction(): Expression {
    let left = this.negation();
    while (this.is('AND')) left = this.logic(left, () => this.negation());
    return left;
  }

  private logic(left: Expression, operand: () => Expression): Expression {
    if (!isCondition(left)) throw this.notACondition();
    const at = this.place();
    const operator = this.next().value === 'OR' ? 'OR' : 'AND';
    const right = operand();
    if (!isCondition(right)) throw this.notACondition();
    return { kind: 'logic', operator, left, right, at };
  }

  /** negation = NOT negation | predicate */
  private negation(): Expression {
    const at = this.place();
    if (!this.accept('NOT')) return this.predicate();
    const operand = this.nested(() => this.negation());
    if (!isCondition(operand)) throw this.notACondition();
    return { kind: 'not', operand, at };
  }

  /** predicate = sum [comparison | [NOT] LIKE | [NOT] IN | [NOT] BETWEEN | IS [NOT] NULL] | EXISTS '(' query ')' */
  private predicate(): Expression {
    const at = this.place();
    if (this.accept('EXISTS'))
      return { kind: 'exists', query: this.parenthesized(() => this.subquery()), at };
    if (this.accepts('fullText', this.peek().text) || this.accepts('updatedColumn', 'UPDATE()'))
      return someCondition(at);
    const left = this.sum();
    if (isCondition(left)) return left;
    if (this.peek().kind === 'operator' && comparisons.has(this.peek().text)) return this.comparison(left);
    if (this.accept('IS')) {
      const negated = this.accept('NOT');
      if (this.accept('DISTINCT', 'FROM')) {
        const operator = negated ? 'IS' : 'IS NOT';
        return { kind: 'compare', operator, left, right: this.sum(), at };
      }
      this.expect('NULL');
      return { kind: 'isNull', negated, operand: left, at };
    }
    const negated = this.accept('NOT');
    if (this.accept('LIKE')) return this.like(left, negated, at);
    if (this.accept('IN')) return { kind: 'in', negated, left, list: this.inList(), at };
    if (this.accept('BETWEEN')) return this.between(left, negated, at);
    if (negated) throw this.unexpected();
    return left;
  }

  /** comparison = operator (sum | (ALL | ANY | SOME) '(' query ')') */
  private comparison(left: Expression): Expression {
    const at = this.place();
    const { text } = this.next();
    const operator = sameComparison[text] ?? text;
    const quantifier = this.acceptAny('ALL', 'ANY', 'SOME');
    if (quantifier === undefined) return { kind: 'compare', operator, left, right: this.sum(), at };
    const query = this.parenthesized(() => this.subquery());
    return { kind: 'quantified', operator, all: quantifier === 'ALL', left, query, at };
  }

  private like(left: Expression, negated: boolean, at: Position): Expression {
    const pattern = this.sum();
    const escaping = this.accept('ESCAPE') ? this.sum() : undefined;
    return { kind: 'like', negated, left, pattern, escape: escaping, at };
  }

  private between(left: Expression, negated: boolean, at: Position): Expression {
    const low = this.sum();
    this.expect('AND');
    return { kind: 'between', negated, left, low, high: this.sum(), at };
  }

  private inList(): readonly Expression[] | Query {
    return this.parenthesized(() =>
      this.is('SELECT') || this.isQueryInParentheses() ? this.subquery() : this.list(() => this.expression()),
    );
  }

  /** sum = product {('+' | '-' | '&' | '|' | '^') product} */
  protected sum(): Expression {
    let left = this.product();
    while (additive.has(this.peek().text) && this.peek().kind === 'operator') {
      if (['<<', '>>', '||'].includes(this.peek().text)) this.refuse(this.peek().text, this.place());
      left = this.arithmetic(left, () => this.product());
    }
    return left;
  }

  /** product = unary {('*' | '/' | '%') unary} */
  private product(): Expression {
    let left = this.unary();
    while (['*', '/', '%'].some((operator) => this.isOperator(operator)))
      left = this.arithmetic(left, () => this.unary());
    return left;
  }

  private arithmetic(left: Expression, operand: () => Expression): Expression {
    const at = this.place();
    const operator = this.next().text;
    if (isCondition(left)) throw sqlErrorAt(at, 102, operator);
    return { kind: 'arithmetic', operator, left, right: operand(), at };
  }

  /** unary = ('-' | '+' | '~') unary | primary {COLLATE name} */
  private unary(): Expression {
    const at = this.place();
    for (const operator of ['-', '+', '~'])
      if (this.acceptOperator(operator))
        return { kind: 'unary', operator, operand: this.nested(() => this.unary()), at };
    let operand = this.primary();
    for (;;) {
      if (this.accept('COLLATE')) operand = { kind: 'collate', operand, collation: this.identifier(), at };
      else if (this.accept('AT', 'TIME', 'ZONE'))
        operand = { ...noArguments, name: '@@AT_TIME_ZONE', arguments: [operand, this.primary()], at };
      else return operand;
    }
  }
}

/** Takes the place of a condition that is not supported; it never runs. */
function someCondition(at: Position): Expression {
  return { kind: 'isNull', negated: false, operand: { kind: 'null', at }, at };
}
