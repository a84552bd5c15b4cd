/** The table that an UPDATE or DELETE changes, itself or through a view, CTE or derived table. */
import type { TableSource } from '../../tsql/ast.ts';
import { sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import type { Delete, Update } from '../../tsql/statement-ast.ts';
import { sameName } from '../catalog.ts';
import {
  type BaseRows,
  type ChangeTarget,
  findObject,
  type Source,
  type TranslationContext,
} from '../translate/compilation.ts';

/** FROM with the target in it, and which of its sources that is. Without FROM, the target is the only source. */
export function fromOf(
  translationContext: TranslationContext,
  statement: Update | Delete,
): { readonly from: TableSource; readonly target: ChangeTarget } {
  const { from, target, at } = statement;
  const assigned =
    statement.kind === 'update'
      ? statement.assignments.flatMap(({ column }) => column?.at(-1) ?? [])
      : undefined;
  const isNamed = target.kind === 'table';
  const found = from && isNamed ? findTarget(translationContext, from, target.name.parts) : undefined;
  if (from && found) return { from, target: { node: found, assigned } };
  const node: TableSource = isNamed
    ? { kind: 'table', name: target.name, alias: undefined, hints: target.hints, at: target.at }
    : { kind: 'tableVariable', name: target.name, alias: undefined, at };
  if (from && !isNamed) return { from, target: { node: from, assigned } };
  const all: TableSource = from
    ? { kind: 'join', join: 'CROSS', left: node, right: from, on: undefined, at }
    : node;
  return { from: all, target: { node, assigned } };
}

function findTarget(
  translationContext: TranslationContext,
  source: TableSource,
  parts: readonly string[],
): TableSource | undefined {
  if (source.kind === 'join' || source.kind === 'apply')
    return (
      findTarget(translationContext, source.left, parts) ??
      findTarget(translationContext, source.right, parts)
    );
  const name = parts.at(-1) ?? '';
  if ('alias' in source && source.alias !== undefined && parts.length === 1 && sameName(source.alias, name))
    return source;
  const isSame =
    source.kind === 'table' &&
    sameName(source.name.parts.at(-1) ?? '', name) &&
    findObject(translationContext, source.name.parts, source.at) ===
      findObject(translationContext, parts, source.at);
  return isSame ? source : undefined;
}

/** The source that is changed, among those of FROM. Throws 208, or 40517 for a function. */
export function targetSource(
  translationContext: TranslationContext,
  { target }: Update | Delete,
  sources: readonly Source[],
): Source & { readonly base: BaseRows } {
  const name = target.kind === 'tableVariable' ? target.name : (target.name.parts.at(-1) ?? '');
  const object =
    target.kind === 'table' ? findObject(translationContext, target.name.parts, target.at) : undefined;
  const found =
    sources.find((source) => sameName(source.name, name)) ??
    sources.find(({ base }) => object !== undefined && base?.object === object);
  if (!found) throw sqlErrorAt(target.at, 208, name);
  if (!found.base) throw unsupported('a change through this source', target.at);
  return { ...found, base: found.base };
}
