/** FROM: tables, joins, derived tables, views and CTEs. */
import type { Query, TableSource } from '../../tsql/ast.ts';
import { sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import { type Module, quoteName, sameName, type Table } from '../catalog.ts';
import { parsedView } from '../modules.ts';
import { informationSchemaView } from '../system-views/information-schema.ts';
import { isOldView, isSystemDatabase } from '../system-views/missing.ts';
import { systemView } from '../system-views/system-views.ts';
import { withCollation } from '../types.ts';
import { tableSource } from './columns.ts';
import {
  type BaseRows,
  type Compilation,
  type CteScope,
  findObject,
  isElsewhere,
  type Scope,
  type TranslatedQuery,
  type TranslatedSource,
} from './compilation.ts';
import { isRecursive } from './cte.ts';
import { ExpressionTranslator } from './expressions.ts';
import {
  applyHints,
  checkIndexHints,
  checkNames,
  fieldsOf,
  isServerWide,
  optional,
  packed,
  renamed,
  unpacked,
} from './source-fields.ts';
import { inlinedFunction, tableFunction, tableOnce } from './table-functions.ts';

/** Translates table sources. `outer` is the scope around the query, with the CTEs in reach. */
export class SourceTranslator {
  readonly #compilation: Compilation;
  readonly #outer: Scope;

  constructor(compilation: Compilation, outer: Scope) {
    this.#compilation = compilation;
    this.#outer = outer;
  }

  translate(source: TableSource): TranslatedSource {
    const translated = this.#translate(source);
    checkNames(translated.sources, source);
    return translated;
  }

  #translate(source: TableSource): TranslatedSource {
    switch (source.kind) {
      case 'table':
        return this.#named(source);
      case 'tableVariable':
        return this.#tableVariable(source);
      case 'derived': {
        const { alias, columns } = source;
        if (this.#isChanged(source))
          return this.#updatable(source.query, this.#outer, source, { name: alias, names: columns });
        const query = this.#compilation.query(source.query, this.#outer);
        return this.derived(query, source.alias, source.columns, source);
      }
      case 'join':
        return this.#join(source);
      case 'apply':
        return this.#apply(source);
      case 'function': {
        const query = inlinedFunction(this.#compilation, source, this.#outer);
        const name = source.alias ?? source.name.split('.').at(-1) ?? '';
        return query
          ? this.derived(query, name, source.columns, source)
          : tableOnce(this.#compilation, this.#outer, source);
      }
    }
  }

  #named(source: TableSource & { kind: 'table' }): TranslatedSource {
    const { parts } = source.name;
    const name = parts.at(-1) ?? '';
    applyHints(this.#compilation, source);
    const cte = parts.length === 1 ? this.#cte(name) : undefined;
    if (cte) return this.#fromCte(cte, source.alias ?? name, source);
    if (isElsewhere(this.#compilation.translationContext, parts, source.at)) return this.#elsewhere(source);
    const system = systemView(parts);
    if (system) return this.#systemView(system, source.alias ?? name, parts.at(-2));
    const found = findObject(this.#compilation.translationContext, parts, source.at);
    const isOwn = found?.kind !== 'table' || found.temporary === undefined;
    if (found && isOwn && this.#compilation.viewDepth === 0)
      this.#compilation.needs.push({ right: 'SELECT', object: found });
    const object = informationSchemaView(parts) ?? found;
    checkIndexHints(source, object);
    if (object?.kind === 'table')
      return this.table(object, source.alias ?? object.name, source.alias ? undefined : object.schema);
    if (object?.kind === 'view') {
      const view = this.#view(object, source);
      return object.id > 0
        ? view
        : { ...view, sources: view.sources.map((each) => ({ ...each, isPartial: true })) };
    }
    if (/^(sys|INFORMATION_SCHEMA)$/i.test(parts.at(-2) ?? '') || isOldView(name))
      throw unsupported(parts.join('.'), source.at);
    throw sqlErrorAt(source.at, 208, parts.join('.'));
  }

  /** A table or view of another database, whose names mean what they mean there. */
  #elsewhere(source: TableSource & { kind: 'table' }): TranslatedSource {
    const compilation = this.#compilation;
    const { translationContext, viewDepth } = compilation;
    const [database = '', schema = '', name = ''] = source.name.parts.slice(-3);
    if (isServerWide(schema, name)) return this.#named(renamed(source, ['sys', name]));
    const text = source.name.parts.join('.');
    const missing = () =>
      isSystemDatabase(database) ? unsupported(text, source.at) : sqlErrorAt(source.at, 208, text);
    if (!translationContext.otherDatabases.has(database)) throw missing();
    if (/^(sys|INFORMATION_SCHEMA)$/i.test(schema)) throw unsupported(text, source.at);
    compilation.translationContext = translationContext.otherDatabases.context(database, translationContext);
    compilation.viewDepth++;
    try {
      if (!findObject(compilation.translationContext, [schema, name], source.at)) throw missing();
      return this.#named(renamed(source, [schema, name]));
    } finally {
      compilation.translationContext = translationContext;
      compilation.viewDepth = viewDepth;
    }
  }

  /** A base table: its columns, and its SQLite row number for changes. */
  table(table: Table, name: string, schema: string | undefined): TranslatedSource {
    const alias = this.#compilation.alias();
    const { fields } = tableSource(table, (column) => `${alias}.${quoteName(column.name)}`);
    const base: BaseRows = {
      table,
      object: table,
      row: `${alias}."%row"`,
      values: fields.map(({ typed }) => typed.sql),
      columns: table.columns.map((column) => ({ name: column.name, column: column.name })),
    };
    return { sql: `${table.storage} AS ${alias}`, sources: [{ name, schema, fields, table, base, alias }] };
  }

  #tableVariable(source: TableSource & { kind: 'tableVariable' }): TranslatedSource {
    const table = this.#compilation.translationContext.temporaryTable(source.name);
    if (!table) throw sqlErrorAt(source.at, 1087, source.name);
    return this.table(table, source.alias ?? source.name, undefined);
  }

  #systemView(
    view: NonNullable<ReturnType<typeof systemView>>,
    name: string,
    schema: string | undefined,
  ): TranslatedSource {
    const alias = this.#compilation.alias();
    const { collation } = this.#compilation.translationContext.catalog;
    const shown = view.columns.map((column) => ({ ...column, type: withCollation(column.type, collation) }));
    const { fields } = tableSource({ name, columns: shown }, (_, index) => `${alias}.c${index}`);
    const columns = view.columns
      .map(({ type }, index) => `${unpacked(type, `value ->> ${index}`)} AS c${index}`)
      .join(', ');
    const sql = `(SELECT ${columns} FROM json_each(system_rows('${view.name}'))) AS ${alias}`;
    return { sql, sources: [{ name, schema, fields, alias, isPartial: true }] };
  }

  #view(view: Module, source: TableSource & { kind: 'table' }): TranslatedSource {
    if (++this.#compilation.viewDepth > 32) throw sqlErrorAt(source.at, 217);
    const statement = parsedView(view);
    const scope: Scope = { sources: [], parent: undefined, ctes: undefined };
    if (this.#isChanged(source)) {
      const name = source.alias ?? view.name;
      const names = statement.columns;
      const changed = this.#updatable(statement.query, scope, source, { name, names, object: view });
      this.#compilation.viewDepth--;
      return changed;
    }
    const query = this.#compilation.query(statement.query, scope);
    this.#compilation.viewDepth--;
    return this.derived(
      query,
      source.alias ?? view.name,
      statement.columns,
      source,
      source.alias ? undefined : view.schema,
    );
  }

  /** A query in FROM. Throws 8155 for a column without a name, 8156 for a name given twice, 8158/8159 for a wrong column list. */
  derived(
    query: TranslatedQuery,
    name: string,
    names: readonly string[] | undefined,
    { at }: TableSource,
    schema?: string,
  ): TranslatedSource {
    const alias = this.#compilation.alias();
    const fields = fieldsOf(query, name, names, alias, at);
    return { sql: `(${query.sql}) AS ${alias}`, sources: [{ name, schema, fields, alias }] };
  }

  /** Whether a source is the one that the statement changes. */
  #isChanged(source: TableSource): boolean {
    return this.#compilation.changeTarget?.node === source;
  }

  /** A view, CTE or derived table that is changed: a derived table with the rows behind it. */
  #updatable(
    query: Query,
    scope: Scope,
    source: TableSource,
    { object, ...target }: { name: string; names: readonly string[] | undefined; object?: Module },
  ): TranslatedSource {
    const { assigned } = this.#compilation.changeTarget ?? {};
    const changed = this.#compilation.updatable(query, scope, { ...target, node: source, assigned });
    const derived = this.derived(changed, target.name, target.names, source);
    const sources = derived.sources.map((found) => {
      const base = changed.baseOf(found.alias);
      return { ...found, base: object ? { ...base, object } : base };
    });
    return { ...derived, sources };
  }

  #cte(name: string): CteScope | undefined {
    for (let level = this.#outer.ctes; level; level = level.outer)
      if (sameName(level.cte.name, name)) return level;
    return undefined;
  }

  #fromCte(scope: CteScope, name: string, source: TableSource): TranslatedSource {
    if (scope.recursive) {
      const alias = this.#compilation.alias();
      scope.recursive.uses.push(alias);
      const fields = scope.recursive.fields.map((field, index) => ({
        ...field,
        typed: { ...field.typed, sql: `${alias}.c${index}` },
      }));
      return {
        sql: `${scope.recursive.alias} AS ${alias}`,
        sources: [{ name, schema: undefined, fields, alias }],
      };
    }
    const outside: Scope = { sources: [], parent: undefined, ctes: scope.outer };
    if (this.#isChanged(source) && !isRecursive(scope.cte))
      return this.#updatable(scope.cte.query, outside, source, { name, names: scope.cte.columns });
    const query = isRecursive(scope.cte)
      ? this.#compilation.recursive(scope)
      : this.#compilation.query(scope.cte.query, outside);
    return this.derived(query, name, scope.cte.columns, source);
  }

  #join(source: TableSource & { kind: 'join' }): TranslatedSource {
    const left = this.#translate(source.left);
    const right = this.#translate(source.right);
    const inner = [...left.sources, ...right.sources];
    checkNames(inner, source);
    const rightSql = ['join', 'apply'].includes(source.right.kind) ? `(${right.sql})` : right.sql;
    if (!source.on) return { sql: `${left.sql} CROSS JOIN ${rightSql}`, sources: inner };
    const keepsLeft = source.join === 'LEFT' || source.join === 'FULL';
    const keepsRight = source.join === 'RIGHT' || source.join === 'FULL';
    const sources = [...optional(left.sources, keepsRight), ...optional(right.sources, keepsLeft)];
    const scope: Scope = { sources: inner, parent: this.#outer, ctes: this.#outer.ctes, clause: 'ON' };
    const on = new ExpressionTranslator(this.#compilation, scope).condition(source.on);
    return { sql: `${left.sql} ${source.join} JOIN ${rightSql} ON ${on}`, sources };
  }

  /** APPLY: the right side is made anew for each row of the left, as a JSON array that is taken apart again. */
  #apply(source: TableSource & { kind: 'apply' }): TranslatedSource {
    const left = this.#translate(source.left);
    const scope: Scope = { sources: left.sources, parent: this.#outer, ctes: this.#outer.ctes };
    const right = this.#applied(source.right, scope);
    const sources = [...left.sources, ...optional(right.sources, source.outer)];
    const join = source.outer ? `LEFT JOIN ${right.sql} ON true` : `CROSS JOIN ${right.sql}`;
    return { sql: `${left.sql} ${join}`, sources };
  }

  #applied(source: TableSource, scope: Scope): TranslatedSource {
    const inlined =
      source.kind === 'function' ? inlinedFunction(this.#compilation, source, scope) : undefined;
    if (source.kind === 'function' && !inlined) return tableFunction(this.#compilation, scope, source);
    if (source.kind !== 'derived' && source.kind !== 'function')
      throw unsupported('APPLY of anything but a subquery or a table function', source.at);
    const query = source.kind === 'function' ? inlined : this.#compilation.query(source.query, scope);
    if (!query) throw new TypeError('A source of APPLY has a query');
    const name = source.alias ?? (source.kind === 'function' ? (source.name.split('.').at(-1) ?? '') : '');
    const alias = this.#compilation.alias();
    const fields = fieldsOf(query, name, source.columns, alias, source.at).map((field, index) => ({
      ...field,
      typed: { ...field.typed, sql: unpacked(field.typed.type, `${alias}.value ->> ${index}`) },
    }));
    const row = query.columns.map((column, index) => packed(column.type.name, `c${index}`)).join(', ');
    const sql = `json_each((SELECT json_group_array(json_array(${row})) FROM (${query.sql}))) AS ${alias}`;
    return { sql, sources: [{ name, schema: undefined, fields, alias }] };
  }
}
