/** The table that an UPDATE or DELETE changes. */
import type { TableSource } from '../../tsql/ast.ts';
import { sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import type { Delete, Update } from '../../tsql/statement-ast.ts';
import { sameName, type Table } from '../catalog.ts';
import { findObject, type Source, type TranslationContext } from '../translate/compilation.ts';
import { targetTable } from './insert.ts';

/** Without FROM, the target is the only source. */
export function fromOf(
  translationContext: TranslationContext,
  { from, target, at }: Update | Delete,
): TableSource {
  if (from && (target.kind === 'table' ? findsTarget(translationContext, from, target.name.parts) : true))
    return from;
  if (target.kind === 'tableVariable')
    return { kind: 'tableVariable', name: target.name, alias: undefined, at };
  targetTable(translationContext, target);
  const targetSource: TableSource = {
    kind: 'table',
    name: target.name,
    alias: undefined,
    hints: target.hints,
    at,
  };
  return from
    ? { kind: 'join', join: 'CROSS', left: targetSource, right: from, on: undefined, at }
    : targetSource;
}

function findsTarget(
  translationContext: TranslationContext,
  source: TableSource,
  parts: readonly string[],
): boolean {
  if (source.kind === 'join' || source.kind === 'apply')
    return (
      findsTarget(translationContext, source.left, parts) ||
      findsTarget(translationContext, source.right, parts)
    );
  const name = parts.at(-1) ?? '';
  if ('alias' in source && source.alias !== undefined && parts.length === 1 && sameName(source.alias, name))
    return true;
  return (
    source.kind === 'table' &&
    sameName(source.name.parts.at(-1) ?? '', name) &&
    findObject(translationContext, source.name.parts, source.at) ===
      findObject(translationContext, parts, source.at)
  );
}

/** The source that is changed, among those of FROM. Throws 208, or 40517 for one that is no table. */
export function targetSource(
  translationContext: TranslationContext,
  { target }: Update | Delete,
  sources: readonly Source[],
): Source & { table: Table } {
  const name = target.kind === 'tableVariable' ? target.name : (target.name.parts.at(-1) ?? '');
  const matches = sources.filter((source) => sameName(source.name, name));
  const table = matches.length ? undefined : targetTable(translationContext, target);
  const found = matches[0] ?? sources.find((source) => source.table === table);
  if (!found?.table) {
    if (found) throw unsupported('a change through a view or derived table', target.at);
    throw sqlErrorAt(target.at, 208, name);
  }
  return { ...found, table: found.table };
}
