/** Runs queries on rows: the few operators and functions of Kusto that find one request, on the syntax that Microsoft's library reads. Anything else throws. */

import { createParser, type SyntaxNode } from './kusto.ts';

export type Row = Readonly<Record<string, unknown>>;
type Rows = readonly Row[];

/** A value for one row, or of a group of them. */
type Evaluate = (rows: Rows) => unknown;

const { parse, kindOf } = createParser();

/** Runs a query on tables, given as rows. */
export function runQuery(query: string, tables: Readonly<Record<string, Rows>>): Rows {
  let node = parse(query.replaceAll(/^\/\/.*\n/gm, ''));
  while (kindOf(node) !== 'PipeExpression') {
    const [inner] = children(node).filter(({ ChildCount }) => ChildCount > 0);
    if (inner === undefined) throw unknown(node);
    node = inner;
  }
  return rowsOf(node, tables);
}

function rowsOf(node: SyntaxNode, tables: Readonly<Record<string, Rows>>): Rows {
  const [source, , operator] = children(node);
  switch (kindOf(node)) {
    case 'NameReference':
      return tables[textOf(node)] ?? [];
    case 'UnionOperator':
      return items(node).flatMap((table) => rowsOf(table, tables));
    case 'PipeExpression':
      return apply(rowsOf(source as SyntaxNode, tables), operator as SyntaxNode);
    default:
      throw unknown(node);
  }
}

function apply(rows: Rows, operator: SyntaxNode): Rows {
  switch (kindOf(operator)) {
    case 'FilterOperator': {
      const holds = evaluator(children(operator).at(-1) as SyntaxNode);
      return rows.filter((row) => holds([row]) === true);
    }
    case 'ExtendOperator':
      return rows.map((row) => ({ ...row, ...columnsOf(operator)([row]) }));
    case 'ProjectOperator':
      return rows.map((row) => columnsOf(operator)([row]));
    case 'SortOperator':
      return sorted(rows, items(operator));
    case 'SummarizeOperator':
      return summarized(rows, operator);
    default:
      throw unknown(operator);
  }
}

function sorted(rows: Rows, orders: readonly SyntaxNode[]): Rows {
  const keys = orders.map((order) => {
    const [by, clause] = kindOf(order) === 'OrderedExpression' ? children(order) : [order];
    const value = evaluator(by as SyntaxNode);
    return { value, sign: clause !== undefined && textOf(clause) === 'asc' ? 1 : -1 };
  });
  const compare = (a: Row, b: Row) => {
    for (const { value, sign } of keys) {
      const [left, right] = [value([a]) as string, value([b]) as string];
      if (left !== right) return left < right ? -sign : sign;
    }
    return 0;
  };
  return rows.toSorted(compare);
}

function summarized(rows: Rows, operator: SyntaxNode): Rows {
  const by = children(operator).find((child) => kindOf(child) === 'SummarizeByClause');
  const group = by === undefined ? () => ({}) : columnsOf(by);
  const aggregate = columnsOf(operator);
  const groups = Map.groupBy(rows, (row) => JSON.stringify(group([row])));
  return [...groups.values()].map((all) => ({ ...group(all.slice(0, 1)), ...aggregate(all) }));
}

/** The expressions of an operator by their names: those given, else those of the columns that they start from. */
function columnsOf(operator: SyntaxNode): (rows: Rows) => Row {
  const all = items(operator).map((item) => {
    const [name, , value] = kindOf(item) === 'SimpleNamedExpression' ? children(item) : [];
    if (name !== undefined && value !== undefined) return [textOf(name), evaluator(value)] as const;
    return [/\((\w+)/.exec(textOf(item))?.[1] ?? textOf(item), evaluator(item)] as const;
  });
  return (rows) => Object.fromEntries(all.map(([name, value]) => [name, value(rows)]));
}

function evaluator(node: SyntaxNode): Evaluate {
  const [left, , right] = children(node);
  const both = (combine: (a: unknown, b: unknown) => unknown): Evaluate => {
    const [a, b] = [evaluator(left as SyntaxNode), evaluator(right as SyntaxNode)];
    return (rows) => combine(a(rows), b(rows));
  };
  switch (kindOf(node)) {
    case 'StringLiteralExpression':
      return () => JSON.parse(textOf(node)) as string;
    case 'LongLiteralExpression':
      return () => Number(textOf(node));
    case 'TimespanLiteralExpression':
      return () => timespan(textOf(node));
    case 'NameReference':
      return ([row]) => row?.[textOf(node)];
    case 'PathExpression':
      return (rows) =>
        (evaluator(left as SyntaxNode)(rows) as Row | undefined)?.[textOf(right as SyntaxNode)];
    case 'AndExpression':
      return both((a, b) => a === true && b === true);
    case 'EqualExpression':
      return both((a, b) => a === b);
    case 'FunctionCallExpression':
      return call(textOf(left as SyntaxNode), items(node.GetChild(1) as SyntaxNode).map(evaluator));
    default:
      throw unknown(node);
  }
}

function call(
  name: string,
  [value = () => undefined, more = () => undefined]: readonly Evaluate[],
): Evaluate {
  const each = (rows: Rows) => rows.map((row) => Number(value([row])));
  switch (name) {
    case 'parse_json':
      return (rows) => JSON.parse(String(value(rows))) as unknown;
    case 'bin':
      return (rows) => {
        const size = Number(more(rows));
        return new Date(Math.floor(Date.parse(String(value(rows))) / size) * size).toISOString();
      };
    case 'sum':
      return (rows) => each(rows).reduce((sum, item) => sum + item, 0);
    case 'percentile':
      // The nearest rank: what the real one gives for few rows.
      return (rows) =>
        each(rows).toSorted((a, b) => a - b)[Math.ceil((Number(more(rows)) / 100) * rows.length) - 1];
    default:
      throw new Error(`Not a function that is known here: ${name}`);
  }
}

/** Milliseconds of `1h`, `5m`. */
function timespan(text: string): number {
  const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  return Number.parseInt(text, 10) * units[text.at(-1) as keyof typeof units];
}

/** The elements of the list of a node, without their commas. */
function items(node: SyntaxNode): readonly SyntaxNode[] {
  const lists = children(node).filter((child) => kindOf(child) === 'List' && child.ChildCount > 0);
  return lists.flatMap(children).map((element) => element.GetChild(0) ?? element);
}

function children(node: SyntaxNode): readonly SyntaxNode[] {
  return Array.from({ length: node.ChildCount }, (_, index) => node.GetChild(index)).filter(
    (child) => child !== null,
  );
}

function textOf(node: SyntaxNode): string {
  return node.toString(0).trim();
}

function unknown(node: SyntaxNode): Error {
  return new Error(`Not known here: ${kindOf(node)} "${textOf(node)}"`);
}
