import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';

/** Functions that give rows, as JSON text of arrays, for `json_each` to take apart. */
export const rowFunctions: Readonly<Record<string, (...given: SQLOutputValue[]) => SQLInputValue>> = {
  split_rows: (text, separator) => {
    if (text === null || separator === null) return null;
    return JSON.stringify(
      String(text)
        .split(String(separator))
        .map((part, index) => [part, index + 1]),
    );
  },
  series_rows: (start, stop, step) => {
    if (start === null || stop === null || step === null) return null;
    const [from, to, by] = [Number(start), Number(stop), Number(step)];
    const rows: number[][] = [];
    for (let value = from; by > 0 ? value <= to : value >= to && by < 0; value += by) rows.push([value]);
    return JSON.stringify(rows);
  },
};
