/** The syntax tree of expressions and queries. */
import type { Position } from './sql-error.ts';

/** A node's place in its batch. */
export interface Node {
  readonly at: Position;
}

/** A name of one to four parts, as written but unquoted: `[server, database, schema,] object`. */
export interface Name extends Node {
  readonly parts: readonly string[];
}

/** A data type as written: `decimal(10, 2)`, `nvarchar(max)`. */
export interface TypeName extends Node {
  readonly name: string;
  readonly arguments: readonly (number | 'max')[];
}

/** An expression that gives a value, or (see `isCondition`) a truth value. */
export type Expression = Node &
  (
    | { readonly kind: 'null' }
    | Readonly<{ kind: 'number'; form: 'integer' | 'decimal' | 'float' | 'money'; text: string }>
    | { readonly kind: 'string'; readonly value: string; readonly unicode: boolean }
    | { readonly kind: 'binary'; readonly hex: string }
    | { readonly kind: 'variable'; readonly name: string }
    | { readonly kind: 'global'; readonly name: string }
    | { readonly kind: 'default' }
    | { readonly kind: 'column'; readonly parts: readonly string[] }
    | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
    | Arithmetic
    | Readonly<{ kind: 'compare'; operator: string; left: Expression; right: Expression }>
    | Readonly<{ kind: 'logic'; operator: 'AND' | 'OR'; left: Expression; right: Expression }>
    | { readonly kind: 'not'; readonly operand: Expression }
    | {
        readonly kind: 'like';
        readonly negated: boolean;
        readonly left: Expression;
        readonly pattern: Expression;
        readonly escape: Expression | undefined;
      }
    | Readonly<{ kind: 'in'; negated: boolean; left: Expression; list: readonly Expression[] | Query }>
    | Readonly<{ kind: 'between'; negated: boolean; left: Expression; low: Expression; high: Expression }>
    | { readonly kind: 'isNull'; readonly negated: boolean; readonly operand: Expression }
    | { readonly kind: 'exists'; readonly query: Query }
    /** `left operator ALL (query)`, or ANY. */
    | Readonly<{ kind: 'quantified'; operator: string; all: boolean; left: Expression; query: Query }>
    | Case
    | Call
    | Cast
    | { readonly kind: 'collate'; readonly operand: Expression; readonly collation: string }
    | { readonly kind: 'subquery'; readonly query: Query }
  );

export interface Arithmetic {
  readonly kind: 'arithmetic';
  readonly operator: string;
  readonly left: Expression;
  readonly right: Expression;
}

export interface Case {
  readonly kind: 'case';
  readonly operand: Expression | undefined;
  readonly branches: readonly { readonly when: Expression; readonly result: Expression }[];
  readonly otherwise: Expression | undefined;
}

export interface Call {
  readonly kind: 'call';
  /** Upper case; several parts joined by a dot. */
  readonly name: string;
  readonly arguments: readonly Expression[];
  readonly distinct: boolean;
  /** `COUNT(*)`. */
  readonly star: boolean;
  /** `WITHIN GROUP (ORDER BY ...)`. */
  readonly withinGroup: readonly OrderItem[] | undefined;
  readonly over: Window | undefined;
}

export interface Cast {
  readonly kind: 'cast';
  readonly form: 'CAST' | 'CONVERT' | 'TRY_CAST' | 'TRY_CONVERT';
  readonly type: TypeName;
  readonly operand: Expression;
  readonly style: Expression | undefined;
}

export interface Window {
  readonly partition: readonly Expression[];
  readonly order: readonly OrderItem[];
  /** A frame in SQL's own words: `ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW`. */
  readonly frame: string | undefined;
}

export interface OrderItem {
  readonly expression: Expression;
  readonly descending: boolean;
}

export interface Cte extends Node {
  readonly name: string;
  readonly columns: readonly string[] | undefined;
  readonly query: Query;
}

/** A query with all that surrounds its SELECTs. */
export interface Query extends Node {
  readonly kind: 'query';
  readonly with: readonly Cte[];
  readonly body: QueryBody;
  readonly order: readonly OrderItem[];
  readonly offset: Expression | undefined;
  readonly fetch: Expression | undefined;
  readonly forJson: ForJson | undefined;
  /** `FOR XML PATH('')`: the values one after the other. */
  readonly forXmlText: boolean;
  /** `OPTION (MAXRECURSION n)`. */
  readonly maxRecursion: number | undefined;
}

export type QueryBody = Select | SetOperation;

export interface SetOperation extends Node {
  readonly kind: 'setOperation';
  readonly operator: 'UNION' | 'UNION ALL' | 'INTERSECT' | 'EXCEPT';
  readonly left: QueryBody;
  readonly right: QueryBody;
}

export interface Select extends Node {
  readonly kind: 'select';
  readonly distinct: boolean;
  readonly top: Top | undefined;
  readonly items: readonly SelectItem[];
  readonly into: Name | undefined;
  readonly from: TableSource | undefined;
  readonly where: Expression | undefined;
  readonly group: readonly Expression[];
  readonly having: Expression | undefined;
}

export interface Top {
  readonly count: Expression;
  readonly percent: boolean;
  readonly withTies: boolean;
}

export type SelectItem = Node &
  (
    | { readonly kind: 'expression'; readonly expression: Expression; readonly alias: string | undefined }
    | { readonly kind: 'star'; readonly qualifier: readonly string[] }
    | { readonly kind: 'assign'; readonly variable: string; readonly expression: Expression }
  );

/** FOR JSON PATH or AUTO, with its options. */
export interface ForJson {
  readonly isAuto: boolean;
  readonly root: string | undefined;
  readonly includeNulls: boolean;
  readonly withoutWrapper: boolean;
}

export type JoinKind = 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'CROSS';

export type TableSource = Node &
  (
    | Readonly<{ kind: 'table'; name: Name; alias: string | undefined; hints: readonly string[] }>
    | { readonly kind: 'tableVariable'; readonly name: string; readonly alias: string | undefined }
    | Readonly<{ kind: 'derived'; query: Query; alias: string; columns: readonly string[] | undefined }>
    | {
        readonly kind: 'function';
        readonly name: string;
        readonly arguments: readonly Expression[];
        readonly schema: readonly JsonColumn[] | undefined;
        readonly alias: string | undefined;
        readonly columns: readonly string[] | undefined;
      }
    | {
        readonly kind: 'join';
        readonly join: JoinKind;
        readonly left: TableSource;
        readonly right: TableSource;
        readonly on: Expression | undefined;
      }
    | Readonly<{ kind: 'apply'; outer: boolean; left: TableSource; right: TableSource }>
  );

/** One column of `OPENJSON(...) WITH (...)`. */
export interface JsonColumn {
  readonly name: string;
  readonly type: TypeName;
  readonly path: string | undefined;
  readonly asJson: boolean;
}

const conditions: ReadonlySet<string> = new Set(
  'compare logic not like in between isNull exists quantified'.split(' '),
);

/** Checks whether an expression gives a truth value, which T-SQL keeps apart from values. */
export function isCondition(expression: Expression): boolean {
  return conditions.has(expression.kind);
}

/** Checks whether an expression is a literal, with a sign or as another type perhaps. */
export function isConstant(expression: Expression): boolean {
  if (expression.kind === 'unary' || expression.kind === 'cast') return isConstant(expression.operand);
  return ['number', 'string', 'binary', 'null'].includes(expression.kind);
}

/** What a call without arguments has besides its name. */
export const noArguments = {
  kind: 'call',
  arguments: [],
  distinct: false,
  star: false,
  withinGroup: undefined,
  over: undefined,
} as const;

/** A SELECT without clauses. */
export const plainSelect = {
  kind: 'select',
  distinct: false,
  top: undefined,
  items: [],
  into: undefined,
  from: undefined,
  where: undefined,
  group: [],
  having: undefined,
} as const;

/** A query that is nothing but its body. */
export const plainQuery = {
  kind: 'query',
  with: [],
  order: [],
  offset: undefined,
  fetch: undefined,
  forJson: undefined,
  forXmlText: false,
  maxRecursion: undefined,
} as const;
