/** Parsed batches, kept by their text. */
import { LRUCache } from 'lru-cache';
import { parseBatch, parseParameters } from '../../tsql/parser/parser.ts';
import type { ParameterDefinition, Statement } from '../../tsql/statement-ast.ts';

const max = 1000;
/** Longer texts, such as the files of a migration, are not kept. */
const maxLength = 100_000;

type Variables = readonly string[];

/** By the declarations of parameters, then by text. */
const batches = new LRUCache<string, LRUCache<string, readonly Statement[], Variables>>({
  max,
  memoMethod: () =>
    new LRUCache<string, readonly Statement[], Variables>({
      max,
      memoMethod: (sql, _, { context }) => parseBatch(sql, context).statements,
    }),
});
const parameterLists = new LRUCache<string, readonly ParameterDefinition[]>({
  max,
  memoMethod: (sql) => parseParameters(sql),
});

/**
 * The statements of a text. `declarations` tells apart the same text with other parameters, as plans are kept with the
 * statements and depend on the types of variables.
 */
export function parsedBatch(
  sql: string,
  variables: Variables = [],
  declarations = variables.join(),
): readonly Statement[] {
  if (sql.length > maxLength) return parseBatch(sql, variables).statements;
  return batches.memo(declarations).memo(sql, { context: variables });
}

export function parsedParameters(sql: string): readonly ParameterDefinition[] {
  return parameterLists.memo(sql);
}
