import { expect, test } from 'vitest';
import { rowsToCsv } from '../../../../../functions/records/csv/csv.ts';
import type { SqlValue } from '../../../../../shared/sql/values.ts';

const column = (type: string, scale = 0) => ({ name: type, type, scale });

test.each<[string, SqlValue, string]>([
  ['nvarchar', 'plain', 'plain'],
  ['nvarchar', 'a,b', '"a,b"'],
  ['nvarchar', 'a;b', '"a;b"'],
  ['nvarchar', '\uFF1D1+1', "'\uFF1D1+1"],
  ['nvarchar', ' \uFF0B1', "' \uFF0B1"],
  ['nvarchar', '\uFF0D1', "'\uFF0D1"],
  ['nvarchar', '\uFF20SUM(A1)', "'\uFF20SUM(A1)"],
  ['nvarchar', '\uFF1D;', '"\'\uFF1D;"'],
  ['nvarchar', 'say "no"', '"say ""no"""'],
  ['nvarchar', 'two\r\nlines', '"two\r\nlines"'],
  ['nvarchar', 'two\rlines', '"two\rlines"'],
  ['nvarchar', ' padded ', '" padded "'],
  ['nvarchar', '', '""'],
  ['nvarchar', 'Ærø 😀', 'Ærø 😀'],
  ['nvarchar', '=1+1', "'=1+1"],
  ['nvarchar', '+45 12', "'+45 12"],
  ['nvarchar', '-1', "'-1"],
  ['nvarchar', '@SUM(A1)', "'@SUM(A1)"],
  ['nvarchar', ' =1', "' =1"],
  ['nvarchar', '\t=1', "'\t=1"],
  ['nvarchar', '\tafter a tab', "'\tafter a tab"],
  ['nvarchar', '=HYPERLINK("a","b")', '"\'=HYPERLINK(""a"",""b"")"'],
  ['int', -5, '-5'],
  ['bit', true, 'true'],
  ['decimal', '12345678901234567890.10', '12345678901234567890.10'],
  ['date', new Date('2026-11-21T00:00:00Z'), '2026-11-21'],
  ['nvarchar', null, ''],
])('%s %j is %s', async (type, value, expected) => {
  const text = await rowsToCsv({ columns: [column(type), column('int')], rows: [[value, 1]] });
  expect(text).toBe(`\uFEFF${type},int\r\n${expected},1\r\n`);
});

test('a line with nothing but a NULL is a line', async () => {
  expect(await rowsToCsv({ columns: [column('int')], rows: [[null], [1]] })).toBe('\uFEFFint\r\n""\r\n1\r\n');
});

test('names of columns are texts', async () => {
  const columns = [
    { name: '=a', type: 'int', scale: 0 },
    { name: 'b,c', type: 'int', scale: 0 },
  ];
  expect(await rowsToCsv({ columns, rows: [] })).toBe('\uFEFF\'=a,"b,c"\r\n');
});
