/** Parsed batches, kept by their text. */
import { parseBatch, parseParameters } from '../../tsql/parser/parser.ts';
import type { ParameterDefinition, Statement } from '../../tsql/statement-ast.ts';

const maxBatches = 1000;
const maxKeptLength = 100_000;

/** Remembers what texts parse to; the least recently used go first. */
class Cache<Value> {
  readonly #values = new Map<string, Value>();

  get(key: string, make: () => Value): Value {
    const known = this.#values.get(key);
    if (known !== undefined) {
      this.#values.delete(key);
      this.#values.set(key, known);
      return known;
    }
    const value = make();
    if (key.length > maxKeptLength) return value;
    this.#values.set(key, value);
    if (this.#values.size > maxBatches) this.#values.delete(this.#values.keys().next().value ?? '');
    return value;
  }
}

const batches = new Cache<Cache<readonly Statement[]>>();
const parameterLists = new Cache<readonly ParameterDefinition[]>();

/**
 * The statements of a text. `declarations` tells apart the same text with other parameters, as plans are kept with the
 * statements and depend on the types of variables.
 */
export function parsedBatch(
  sql: string,
  variables: readonly string[] = [],
  declarations = variables.join(),
): readonly Statement[] {
  const known = batches.get(declarations, () => new Cache());
  return known.get(sql, () => parseBatch(sql, variables).statements);
}

export function parsedParameters(sql: string): readonly ParameterDefinition[] {
  return parameterLists.get(sql, () => parseParameters(sql));
}
