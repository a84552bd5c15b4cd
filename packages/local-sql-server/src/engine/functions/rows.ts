/** Functions that give rows. */
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { sqlError } from '../../tsql/sql-error.ts';
import { wholeText } from '../storage/whole-text.ts';
import {
  followPath,
  isContainer,
  type JsonNode,
  parseJson,
  parsePath,
  scalarText,
} from '../values/json-text.ts';

/** Functions that give rows, as JSON text of arrays, for `json_each` to take apart. */
export const rowFunctions: Readonly<Record<string, (...given: SQLOutputValue[]) => SQLInputValue>> = {
  split_rows: (text, separator) => {
    if (text === null || separator === null) return null;
    return rowsText(
      String(text)
        .split(String(separator))
        .map((part, index) => [part, index + 1]),
    );
  },
  series_rows: (start, stop, step = null) => {
    if (start === null || stop === null) return null;
    const from = Number(start);
    const to = Number(stop);
    const by = step === null ? (from <= to ? 1 : -1) : Number(step);
    if (by === 0) throw sqlError(4199);
    const rows: number[][] = [];
    for (let value = from; by > 0 ? value <= to : value >= to; value += by) rows.push([value]);
    return JSON.stringify(rows);
  },
  openjson_rows: (json, path) => {
    const root = json === null || json === undefined ? undefined : rootOf(String(json), String(path));
    const rows = root?.members.map(({ name, value }) => [name, scalarText(value), kinds.indexOf(value.kind)]);
    return rowsText(rows ?? []);
  },
  openjson_columns: (json, path, columnsText) => {
    const root = json === null || json === undefined ? undefined : rootOf(String(json), String(path));
    if (!root) return '[]';
    const columns = JSON.parse(String(columnsText)) as readonly { path: string; asJson: boolean }[];
    const paths = columns.map((column) => ({ asJson: column.asJson, path: parsePath(column.path) }));
    const items = root.kind === 'array' ? root.members.map(({ value }) => value) : [root];
    return rowsText(items.map((item) => paths.map((column) => columnText(item, column))));
  },
};

/** JSON.stringify would write half of a surrogate pair as an escape, which SQLite reads as another character. */
function rowsText(rows: readonly (readonly (string | number | null)[])[]): string {
  return JSON.stringify(rows.map((row) => row.map(wholeText)));
}

/** The types of OPENJSON, by their numbers. */
const kinds: readonly JsonNode['kind'][] = ['null', 'string', 'number', 'boolean', 'array', 'object'];

/** What OPENJSON opens; undefined when the path leads nowhere. Throws 13624 for a scalar in strict mode. */
function rootOf(json: string, pathText: string): JsonNode | undefined {
  const path = parsePath(pathText);
  const node = followPath(parseJson(json), path);
  if (!node || isContainer(node)) return node;
  if (path.isStrict) throw sqlError(13624);
  return undefined;
}

/** A scalar for a plain column, an object or array for one AS JSON; the other kind is NULL, or an error in strict mode. */
function columnText(
  root: JsonNode,
  { path, asJson }: { readonly path: ReturnType<typeof parsePath>; readonly asJson: boolean },
): string | null {
  const node = followPath(root, path);
  if (!node) return null;
  if (isContainer(node) === asJson) return asJson ? node.text : scalarText(node);
  if (path.isStrict) throw sqlError(asJson ? 13624 : 13623);
  return null;
}
