/** GO in Microsoft's syntax. The first table has the numbers of batches of Microsoft's splitter. */

import { describe, expect, test } from 'vitest';
import { batches } from '../../../../scripts/migrate/batches.ts';

const microsoftScripts: [script: string, batches: number][] = [
  ['SELECT 1\nGO\nSELECT 2', 2],
  ['SELECT 1\ngo\nSELECT 2', 2],
  ['SELECT 1\nGO -- next\nSELECT 2', 2],
  ['SELECT 1\nGO /* next */\nSELECT 2', 2],
  ['SELECT 1\nGO;\nSELECT 2', 2],
  ['SELECT 1 /*\nGO\n*/ + 1', 1],
  ["SELECT 'a\nGO\nb'", 1],
  ["SELECT N'a\nGO\nb' AS x\nGO\nSELECT 2", 2],
  ['SELECT 1 AS [a\nGO\nb]', 1],
  ['SELECT 1\r\nGO\r\nSELECT 2', 2],
  ['SELECT 1 --\n-- GO\nGO\nSELECT 2', 2],
  ['\ufeffSELECT 1\nGO\nSELECT 2', 2],
  ['SELECT 1\n/* x */ GO\nSELECT 2', 2],
  ['SELECT 1\nGO\u00a0\nSELECT 2', 2],
  ['SELECT 1\rGO\rSELECT 2', 2],
  ['GOTO x\nGO\nx: SELECT 1', 2],
  ['SELECT 1 AS "a\nGO\nb"', 1],
];

/** Further scripts: quotes in comments, comments in quotes, nesting, doubled ends. */
const otherScripts: [script: string, batches: number][] = [
  ["SELECT 1 -- it's\nGO\nSELECT 2", 2],
  ["SELECT 1 /* it's */\nGO\nSELECT 2", 2],
  ["SELECT '/*'\nGO\nSELECT '*/'", 2],
  ["SELECT 'it''s\nGO\n'\nGO\nSELECT 2", 2],
  ['SELECT 1 AS [a]]\nGO\n]\nGO\nSELECT 2', 2],
  ['SELECT 1 AS "a""\nGO\n"\nGO\nSELECT 2', 2],
  ['SELECT 1 /* a /* b */\nGO\n*/\nGO\nSELECT 2', 2],
  ['SELECT 1\nGO /* a\nb */\nSELECT 2', 2],
  ['SELECT 1\nGO SELECT 2', 1],
  ['SELECT 1\nGO-- x\nSELECT 2', 2],
  ['SELECT 1\nGO/* x */;\nSELECT 2', 2],
  ["SELECT 'never ends\nGO\nSELECT 2", 1],
  ['GO\nGO\n-- nothing\nGO\n/* nothing */\nGO\n', 0],
  ['', 0],
];

describe('batches()', () => {
  test.each([...microsoftScripts, ...otherScripts])('splits %j into %i', (script, count) => {
    expect(batches(script)).toHaveLength(count);
  });

  test('removes only the separators, and counts lines', () => {
    expect(batches("-- first\r\nSELECT 'a\r\nb'\r\nGO -- x\r\n\r\nSELECT 2\r\nGO 5\r\nSELECT 3")).toEqual([
      { line: 1, text: "-- first\r\nSELECT 'a\r\nb'", count: 1 },
      { line: 5, text: '\r\nSELECT 2', count: 5 },
      { line: 8, text: 'SELECT 3', count: 1 },
    ]);
  });

  test.each(['GO 2', 'go  2', 'GO 2 -- twice', 'GO 2;'])(
    'repeats a batch for "%s", as sqlcmd does',
    (line) => {
      expect(batches(`SELECT 1\n${line}\nSELECT 2`).map(({ count }) => count)).toEqual([2, 1]);
    },
  );
});
