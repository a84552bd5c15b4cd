/** JSON functions. */
import { SqlError, sqlError } from '../../tsql/sql-error.ts';
import { int, nvarchar } from '../types.ts';
import { followPath, isContainer, parseJson, parsePath, scalarText } from '../values/json-text.ts';
import type { FunctionLibrary } from './definition.ts';

/** A scalar at a path; objects and arrays are NULL, or 13623 in strict mode. */
function jsonValue(json: string, path: string): string | null {
  const parsed = parsePath(path);
  const node = followPath(parseJson(json), parsed);
  if (!node) return null;
  if (isContainer(node)) {
    if (parsed.isStrict) throw sqlError(13623);
    return null;
  }
  const text = scalarText(node);
  if (text !== null && text.length > 4000) {
    if (parsed.isStrict) throw sqlError(13625);
    return null;
  }
  return text;
}

/** An object or array at a path, as its own text; scalars are NULL, or 13624 in strict mode. */
function jsonQuery(json: string, path: string): string | null {
  const parsed = parsePath(path);
  const node = followPath(parseJson(json), parsed);
  if (node && isContainer(node)) return node.text;
  if (parsed.isStrict) throw sqlError(13624);
  return null;
}

function isJson(text: string, kind: string | undefined): number {
  try {
    const node = parseJson(text);
    const wanted = kind?.toUpperCase();
    if (wanted === undefined) return Number(isContainer(node));
    if (wanted === 'VALUE') return 1;
    return Number(
      wanted === 'SCALAR'
        ? node.kind === 'number' || node.kind === 'string'
        : node.kind === wanted.toLowerCase(),
    );
  } catch (error) {
    if (error instanceof SqlError) return 0;
    throw error;
  }
}

const max = nvarchar('max');

/** JSON functions ("JSON functions (Transact-SQL)"). Values keep their own text, digit for digit. */
export const jsonFunctions: FunctionLibrary = {
  JSON_VALUE: {
    parameters: ['text', 'text'],
    returns: nvarchar(4000),
    run: (_, [json, path]) => jsonValue(String(json), String(path)),
  },
  JSON_QUERY: {
    parameters: ['text', 'text'],
    optional: 1,
    returns: max,
    run: (_, [json, path]) => jsonQuery(String(json), path === undefined ? '$' : String(path)),
  },
  ISJSON: {
    parameters: ['text', 'text'],
    optional: 1,
    returns: int,
    run: (_, [json, kind]) => isJson(String(json), kind === undefined ? undefined : String(kind)),
  },
};
