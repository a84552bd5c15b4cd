/**
 * Runs a query of the Kusto Query Language on rows, as far as the alerts use the language: where, extend, project, summarize and union.
 * What it does not know it throws. Semantics of nulls and of terms: learn.microsoft.com/kusto/query.
 */

export type Row = Readonly<Record<string, unknown>>;
export type Tables = Readonly<Record<string, readonly Row[]>>;

type Expression = (row: Row) => unknown;
/** Of all rows of a group. */
type Aggregate = (rows: readonly Row[]) => unknown;

/** Returns the rows that a query gives at a time (milliseconds since epoch). */
export function runQuery(query: string, tables: Tables, now: number): readonly Row[] {
  const [source = '', ...operators] = split(query, '|');
  return operators.reduce((rows, text) => operate(text, rows, now), rowsOf(source, tables, now));
}

function rowsOf(source: string, tables: Tables, now: number): readonly Row[] {
  const union = /^union isfuzzy=true (.*)$/s.exec(source)?.[1];
  if (union !== undefined)
    return split(union, ',').flatMap((part) => {
      const inner = /^\((.*)\)$/s.exec(part)?.[1] ?? '';
      // A table without rows, which says which columns there are.
      return inner.startsWith('datatable(') ? [] : runQuery(inner, tables, now);
    });
  const rows = tables[source];
  if (rows === undefined) throw new ReferenceError(`There is no table ${source}.`);
  return rows;
}

function operate(text: string, rows: readonly Row[], now: number): readonly Row[] {
  const [, operator = '', rest = ''] = /^(\w+) (.*)$/s.exec(text) ?? [];
  if (operator === 'where') {
    const holds = parse(rest, now);
    return rows.filter((row) => holds(row) === true);
  }
  if (operator === 'extend' || operator === 'project') {
    const columns = columnsOf(rest).map(([name, value]) => [name, parse(value, now)] as const);
    return rows.map((row) => {
      const values = Object.fromEntries(columns.map(([name, value]) => [name, value(row)]));
      return operator === 'extend' ? { ...row, ...values } : values;
    });
  }
  if (operator === 'summarize') return summarize(rest, rows, now);
  throw new SyntaxError(`Unknown operator: ${text}`);
}

function summarize(text: string, rows: readonly Row[], now: number): readonly Row[] {
  const [sums = '', by] = text.split(/ by (?=[^()]*(?:\([^()]*\)[^()]*)*$)/);
  const aggregates = columnsOf(sums).map(([name, value]) => [name, aggregate(value, now)] as const);
  const keys = columnsOf(by ?? '').map(([name, value]) => [name, parse(value, now)] as const);
  const keyOf = (row: Row) => Object.fromEntries(keys.map(([name, value]) => [name, value(row)]));
  const groups = Map.groupBy(rows, (row) => JSON.stringify(keyOf(row)));
  // Without groups there is a row of everything, also of nothing.
  if (keys.length === 0) groups.set('{}', [...rows]);
  return [...groups].map(([key, group]) => ({
    ...JSON.parse(key),
    ...Object.fromEntries(aggregates.map(([name, value]) => [name, value(group)])),
  }));
}

function aggregate(text: string, now: number): Aggregate {
  const [, name = '', list = ''] = /^(\w+)\((.*)\)$/s.exec(text) ?? [];
  const [value, condition] = split(list, ',').map((item) => parse(item, now));
  const numbers = (rows: readonly Row[]) =>
    rows.map((row) => value?.(row)).filter((item) => typeof item === 'number');
  const where = (rows: readonly Row[]) => rows.filter((row) => condition?.(row) === true);
  const sum = (rows: readonly Row[]) => numbers(rows).reduce((total, item) => total + item, 0);
  const aggregates: Readonly<Record<string, Aggregate>> = {
    count: (rows) => rows.length,
    sum,
    sumif: (rows) => sum(where(rows)),
    maxif: (rows) => (where(rows).length === 0 ? null : Math.max(...numbers(where(rows)))),
    percentile: (rows) => {
      const sorted = numbers(rows).sort((one, other) => one - other);
      const rank = Math.ceil((sorted.length * Number(condition?.({}))) / 100);
      return sorted[Math.max(rank, 1) - 1] ?? null;
    },
  };
  const found = aggregates[name];
  if (!found) throw new SyntaxError(`Unknown aggregate: ${text}`);
  return found;
}

/** `a = b, c` as pairs of names and expressions. */
const columnsOf = (text: string): (readonly [string, string])[] =>
  split(text, ',').map((item) => {
    const [, name = item, value = item] = /^(\w+) = (.*)$/s.exec(item) ?? [];
    return [name, value];
  });

/** Splits at a character outside of texts and brackets. */
function split(text: string, at: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [token] of text.matchAll(/'[^']*'|[\s\S]/g)) {
    if ('(['.includes(token)) depth += 1;
    if (')]'.includes(token)) depth -= 1;
    if (token === at && depth === 0) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

const isNull = (value: unknown) => value === null || value === undefined;
const text = (value: unknown) => (isNull(value) ? '' : String(value)).toLowerCase();
const compared =
  (compare: (left: number, right: number) => boolean): Binary =>
  (left, right) =>
    isNull(left) || isNull(right) ? null : compare(Number(left), Number(right));
const hasTerm = (whole: unknown, term: unknown) => {
  const found = text(whole).split(text(term));
  return found.some((before, index) => {
    const after = found[index + 1];
    return after !== undefined && !/\w$/.test(before) && !/^\w/.test(after);
  });
};

type Binary = (left: unknown, right: unknown) => unknown;
/** Operators with two sides by how tightly they bind, the loosest first. */
const levels: readonly Readonly<Record<string, Binary>>[] = [
  { or: (left, right) => left === true || right === true },
  { and: (left, right) => left === true && right === true },
  {
    '==': (left, right) => !isNull(left) && left === right,
    '!=': (left, right) => isNull(left) !== isNull(right) || left !== right,
    '=~': (left, right) => text(left) === text(right),
    '>': compared((left, right) => left > right),
    '>=': compared((left, right) => left >= right),
    '<': compared((left, right) => left < right),
    '<=': compared((left, right) => left <= right),
    has: hasTerm,
    contains: (left, right) => text(left).includes(text(right)),
    startswith: (left, right) => text(left).startsWith(text(right)),
    in: (left, right) => (right as unknown[]).includes(left),
    between: (left, right) => {
      const [low, high] = right as number[];
      return !isNull(left) && Number(left) >= Number(low) && Number(left) <= Number(high);
    },
  },
  { '+': (left, right) => Number(left) + Number(right), '-': (left, right) => Number(left) - Number(right) },
  { '*': (left, right) => Number(left) * Number(right), '/': (left, right) => Number(left) / Number(right) },
];

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads an expression. */
function parse(source: string, now: number): Expression {
  const tokens = source.match(/'[^']*'|\d+(?:\.\d+)?[smhd]?\b|\w+|\.\.|[=!<>]=|=~|[^\s]/g) ?? [];
  let at = 0;
  const next = () => tokens[at++] ?? '';
  const functions: Readonly<Record<string, (...values: unknown[]) => unknown>> = {
    parse_json: (value) => {
      try {
        return JSON.parse(String(value));
      } catch {
        return String(value);
      }
    },
    toint: (value) => (isNull(value) || Number.isNaN(Number(value)) ? null : Math.trunc(Number(value))),
    todouble: (value) => (isNull(value) || Number.isNaN(Number(value)) ? null : Number(value)),
    tostring: (value) => (isNull(value) ? '' : String(value)),
    isnotempty: (value) => text(value) !== '',
    ago: (time) => now - Number(time),
  };

  function list(): Expression[] {
    const items: Expression[] = [];
    while (tokens[at] !== ')') {
      items.push(binary(0));
      if (tokens[at] === ',' || tokens[at] === '..') at += 1;
    }
    at += 1;
    return items;
  }
  function primary(): Expression {
    const token = next();
    if (token === '(') {
      const inner = binary(0);
      if (next() !== ')') throw new SyntaxError(`A bracket is open: ${source}`);
      return inner;
    }
    if (token.startsWith("'")) return () => token.slice(1, -1);
    const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(token) ?? [];
    if (digits !== undefined) return () => Number(digits) * (units[unit] ?? 1);
    if (tokens[at] !== '(') return (row) => row[token];
    at += 1;
    const values = list();
    const called = functions[token];
    if (!called) throw new SyntaxError(`Unknown function ${token}: ${source}`);
    return (row) => called(...values.map((value) => value(row)));
  }
  function member(): Expression {
    let value = primary();
    while (tokens[at] === '.') {
      at += 1;
      const name = next();
      const of = value;
      value = (row) => (of(row) as Row | null | undefined)?.[name];
    }
    return value;
  }
  function binary(level: number): Expression {
    const operators = levels[level];
    if (operators === undefined) return member();
    let left = binary(level + 1);
    for (let operate = operators[tokens[at] ?? '']; operate; operate = operators[tokens[at] ?? '']) {
      const token = next();
      const before = left;
      const apply = operate;
      if ((token === 'in' || token === 'between') && next() === '(') {
        const values = list();
        left = (row) =>
          apply(
            before(row),
            values.map((value) => value(row)),
          );
      } else {
        const right = binary(level + 1);
        left = (row) => apply(before(row), right(row));
      }
    }
    return left;
  }

  const whole = binary(0);
  if (at < tokens.length) throw new SyntaxError(`Cannot read "${tokens.slice(at).join(' ')}" of ${source}`);
  return whole;
}
