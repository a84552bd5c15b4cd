/** The common type of several expressions. */
import type { SqlType } from '../session.ts';
import { commonType, databaseDefault, int, isCharacter } from '../types.ts';
import { converted, rankOfBoth, type Typed, withCollation } from './typed.ts';

/** `CASE WHEN ... END` over results that are brought to one type. */
export function choose(conditions: readonly string[], results: readonly Typed[], hasElse: boolean): Typed {
  const type = commonOf(results, 'CASE');
  const converts = results.map((result) => converted(result, type).sql);
  const branches = conditions.map((when, index) => `WHEN ${when} THEN ${converts[index]}`).join(' ');
  const otherwise = hasElse ? ` ELSE ${converts.at(-1)}` : '';
  const nullable = !hasElse || results.some((result) => result.nullable);
  return {
    sql: `CASE ${branches}${otherwise} END`,
    type,
    nullable,
    collationRank: rankOfAll(results),
  };
}

/** The highest of several types, with one collation. */
export function commonOf(values: readonly Typed[], operation: string): SqlType {
  const typed = values.filter(({ isNull }) => !isNull);
  const [first] = typed;
  if (!first) return int;
  let left: Typed = first;
  for (const right of typed.slice(1)) {
    const type = withCollation(commonType(left.type, right.type), left, right, operation);
    left = { sql: '', type, nullable: true, collationRank: rankOfBoth(left, right) };
  }
  return left.type;
}

/** A type of text with the collation of the value that holds its own most strongly. */
export function collatedLike(type: SqlType, values: readonly Typed[]): SqlType {
  if (!isCharacter(type)) return type;
  const rank = rankOfAll(values);
  const strongest = values.find((value) => isCharacter(value.type) && value.collationRank === rank);
  if (rank === 0 || !strongest || !isCharacter(strongest.type)) return type;
  return { ...type, collation: strongest.type.collation ?? databaseDefault };
}

export function rankOfAll(values: readonly Typed[]): 0 | 1 | 2 {
  const texts = values.filter(({ type, isNull }) => isCharacter(type) && !isNull);
  return Math.max(0, ...texts.map(({ collationRank }) => collationRank ?? 0)) as 0 | 1 | 2;
}
