import { expect, test } from 'vitest';
import { batches } from '../../../scripts/migrations.ts';

test.each([
  ['one batch without GO', 'SELECT 1', [{ line: 1, text: 'SELECT 1' }]],
  [
    'batches at each GO, in any case and with spaces',
    'SELECT 1\nGO\nSELECT 2\n  go  \n',
    [
      { line: 1, text: 'SELECT 1' },
      { line: 3, text: 'SELECT 2' },
    ],
  ],
  [
    'Windows line ends',
    'SELECT 1\r\nGO\r\nSELECT 2',
    [
      { line: 1, text: 'SELECT 1' },
      { line: 3, text: 'SELECT 2' },
    ],
  ],
  [
    'GO inside a line as text',
    "SELECT 'GO'\n-- GO on\nGOTO x",
    [{ line: 1, text: "SELECT 'GO'\n-- GO on\nGOTO x" }],
  ],
  ['nothing but comments', '-- only this\nGO\n\n', []],
])('batches() finds %s', (_, script, expected) => {
  expect(batches(script)).toEqual(expected);
});
