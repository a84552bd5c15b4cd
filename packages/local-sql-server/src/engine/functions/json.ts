/** JSON functions. */
import { SqlError, sqlError } from '../../tsql/sql-error.ts';
import { int, nvarchar } from '../types.ts';
import {
  followPath,
  isContainer,
  type JsonNode,
  type JsonPath,
  parseJson,
  parsePath,
  scalarText,
} from '../values/json-text.ts';
import { asJson, quoteJson } from '../values/json-value.ts';
import type { FunctionLibrary, ScalarFunction } from './definition.ts';

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

/** Replaces, adds (`append`) or, in lax mode with NULL, removes the value at a path. */
function modified(json: string, pathText: string, value: string | null): string {
  const isAppend = /^\s*append\s+/.test(pathText);
  const path = parsePath(pathText.replace(/^\s*append\s+/, ''));
  const change = (node: JsonNode | undefined): string | undefined => {
    if (!isAppend) return value === null && !path.isStrict ? undefined : (value ?? 'null');
    if (node && node.kind !== 'array') throw sqlError(13624);
    return `[${[...(node?.members.map((member) => member.value.text) ?? []), value ?? 'null'].join(',')}]`;
  };
  return changed(parseJson(json), path, 0, change) ?? 'null';
}

function changed(
  node: JsonNode,
  path: JsonPath,
  depth: number,
  change: (node: JsonNode | undefined) => string | undefined,
): string | undefined {
  const step = path.steps[depth];
  if (step === undefined) return change(node);
  const kind = typeof step === 'number' ? 'array' : 'object';
  const isLast = depth === path.steps.length - 1;
  const found = node.kind === kind ? node.members.some(({ name }) => name === String(step)) : false;
  if (!found) return added(node, path, depth, isLast && node.kind === kind ? change(undefined) : undefined);
  const parts = node.members.map((member) => {
    const text =
      member.name === String(step) ? changed(member.value, path, depth + 1, change) : member.value.text;
    if (text === undefined && kind === 'array') return 'null';
    return text === undefined ? undefined : kind === 'array' ? text : `${quoteJson(member.name)}:${text}`;
  });
  return wrap(kind, parts);
}

function added(node: JsonNode, path: JsonPath, depth: number, text: string | undefined): string {
  const step = path.steps[depth];
  if (path.isStrict) throw sqlError(13608);
  if (text === undefined || typeof step !== 'string') return node.text;
  return wrap('object', [
    ...node.members.map(({ name, value }) => `${quoteJson(name)}:${value.text}`),
    `${quoteJson(step)}:${text}`,
  ]);
}

function wrap(kind: 'array' | 'object', parts: readonly (string | undefined)[]): string {
  const inside = parts.filter((part) => part !== undefined).join(',');
  return kind === 'array' ? `[${inside}]` : `{${inside}}`;
}

const max = nvarchar('max');

/** ISJSON: of any container, or of the kind that a word after it names. */
export const isJsonText: ScalarFunction = {
  parameters: ['text', 'text'],
  optional: 1,
  returns: int,
  run: (_, [json, kind]) => isJson(String(json), kind === undefined ? undefined : String(kind)),
};

/** JSON_MODIFY with one argument more: whether the value is JSON itself. */
export const jsonModify: ScalarFunction = {
  parameters: ['text', 'text', 'any', int],
  takesNull: true,
  returns: max,
  isJson: true,
  run: (_, [json = null, path = null, value = null, isText], [, , type = nvarchar(4000)]) => {
    if (json === null || path === null) return null;
    const written = value === null ? null : Number(isText) ? String(value) : asJson(value, type);
    return modified(String(json), String(path), written);
  },
};

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
    isJson: true,
    run: (_, [json, path]) => jsonQuery(String(json), path === undefined ? '$' : String(path)),
  },
  ISJSON: isJsonText,
  JSON_MODIFY: jsonModify,
};
