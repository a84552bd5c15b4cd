/** Tests of the lexer and the parser. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tokenize } from '../../src/tsql/lexer.ts';
import { parseBatch } from '../../src/tsql/parser/parser.ts';
import { SqlError } from '../../src/tsql/sql-error.ts';
import { print } from './print.ts';

const tree = (sql: string): string => print(parseBatch(sql, ['@v']).statements);

describe('the lexer', () => {
  test.each([
    ["SELECT [a b], N'it''s'", ['word SELECT', 'quoted a b', 'operator ,', "unicode it's", 'end ']],
    ['1 1.5 1e3 0xFF $2', ['integer 1', 'decimal 1.5', 'float 1e3', 'binary 0xFF', 'money $2', 'end ']],
    ['@v @@ROWCOUNT #t', ['variable @v', 'variable @@ROWCOUNT', 'word #T', 'end ']],
    ['a/* x /* y */ z */b--c\n<>!=', ['word A', 'word B', 'operator <>', 'operator !=', 'end ']],
  ])('splits %s', (sql, expected) => {
    expect(tokenize(sql).map(({ kind, value }) => `${kind} ${value}`)).toEqual(expected);
  });
});

describe('the parser', () => {
  test.each([
    [
      'SELECT 1 + 2 * 3',
      '[(select (query (select [(expression (arithmetic + (number integer 1) (arithmetic * (number integer 2) (number integer 3))))])))]',
    ],
    [
      'SELECT a.b AS c FROM t AS a',
      '[(select (query (select [(expression (column [a b]) alias=c)] from=(table ([t]) alias=a))))]',
    ],
    ["IF @v = 'x' RETURN", '[(if condition=(compare = (variable @v) (string x)) consequent=(return))]'],
    [
      'EXEC dbo.p @a = 1, @b = @v OUTPUT',
      '[(execute procedure=([dbo p]) [(@a (number integer 1)) (@b (variable @v) output)])]',
    ],
    ['DELETE t WHERE x IS NOT NULL', '[(delete target=(table ([t])) where=(isNull negated (column [x])))]'],
  ])('reads %s', (sql, expected) => {
    expect(tree(sql)).toBe(expected);
  });

  test.each([
    ['SELECT 1 FROM', 102, 1],
    ['SELECT 1\nFROM WHERE', 156, 2],
    ["SELECT 'x", 105, 1],
    ['SELECT 1 /*', 113, 1],
    ['SELECT 1\n\nSELECT @x', 137, 3],
    ['SELECT * FROM @t', 1087, 1],
    ['\nDECLARE @v int', 134, 2],
    ['SELECT 1;\nGRANT x (a) TO y', 40517, 2],
  ])('refuses %j with %d in line %d', (sql, number, line) => {
    try {
      tree(sql);
      expect.unreachable('it must be refused');
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      expect([error.number, error.line]).toEqual([number, line]);
    }
  });

  test('gives the tree of INSIDE.md', () => {
    const page = readFileSync(new URL('../../INSIDE.md', import.meta.url), 'utf8');
    const [, sql = '', , expected = ''] =
      /^`(SELECT TOP[^`]*)` is the tree\n\n```(\n)([^`]*)\n```/m.exec(page) ?? [];
    expect(tree(sql)).toBe(`[${expected.replace(/\s+/g, ' ')}]`);
  });

  test('names what is not supported, and where it stands', () => {
    expect(() => tree('SELECT 1\n  FROM t PIVOT (SUM(a) FOR b IN ([x])) AS p')).toThrow(
      "'PIVOT' is not supported by the local SQL server (line 2, column 10).",
    );
  });
});
