/** Properties of expressions. */
import { afterAll, test } from 'vitest';
import { fc, numRuns } from '../../../../test/support/properties.ts';
import { openEngine } from '../../src/engine/engine.ts';
import { library } from '../../src/engine/functions/library.ts';
import { run } from './run.ts';

const engine = openEngine({ folder: undefined, databases: ['main'] });
const session = engine.openSession({ user: 'sa', database: 'main', application: 'expressions' });
afterAll(() => engine.close());

/** Values at the ends of their types, and texts that look like others. */
const value = fc.constantFrom(
  ...`NULL|0|1|-1|255|2147483647|CAST(9223372036854775807 AS bigint)|CAST(-9223372036854775808 AS bigint)|CAST(1 AS bit)|0.5|
  99999999999999999999999999999999999999|0.00000000000000000000000000000000000001|1e308|-1e-308|CAST(3.4e38 AS real)|
  CAST(922337203685477.5807 AS money)|''|'abc'|'-1.5e3'|N'😀é'|'2024-02-29'|'10:30'|'9999-12-31 23:59:59.9999999'|
  '{"a":[1,{"b":null}]}'|'$.a'|'strict $.a[0]'|0x|0x0102030405060708090A|CAST('0001-01-01' AS date)|
  CAST('9999-12-31 23:59:59.997' AS datetime)|CAST('0001-01-01' AS datetime2(0))|CAST('23:59:59.9999999' AS time)|
  CAST('9999-12-31 23:59:59.9999999 +00:00' AS datetimeoffset)|CAST('2079-06-06 23:59' AS smalldatetime)|
  CAST('00112233-4455-6677-8899-AABBCCDDEEFF' AS uniqueidentifier)|CAST('x' AS char(5))|REPLICATE('a', 8000)`
    .split('|')
    .map((text) => text.trim()),
);
const type = fc.constantFrom(
  ...`bit tinyint smallint bigint decimal(38,0) decimal(5,2) money smallmoney real float char(3) varchar(2) nvarchar(max) binary(3)
  varbinary(2) date time(0) datetime smalldatetime datetime2(3) datetimeoffset(0) uniqueidentifier`.split(
    /\s+/,
  ),
);
const names = [
  ...Object.keys(library).filter((name) => !name.startsWith('@@')),
  'ISNULL',
  'COALESCE',
  'GREATEST',
];
const aggregates = ['SUM', 'AVG', 'MIN', 'MAX', 'COUNT', 'STDEV'];

const expression = fc.oneof(
  fc
    .tuple(fc.constantFrom(...names), fc.array(value, { maxLength: 4 }))
    .map(([name, given]) => `${name}(${given.join(', ')})`),
  fc
    .tuple(
      fc.constantFrom('DATEADD', 'DATEDIFF', 'DATEPART'),
      fc.constantFrom('year', 'week', 'ns'),
      value,
      value,
    )
    .map(([name, part, a, b]) => `${name}(${[part, a, ...(name === 'DATEPART' ? [] : [b])].join(', ')})`),
  fc.tuple(fc.constantFrom(...aggregates), value).map(([name, given]) => `${name}(${given})`),
  fc.tuple(value, type).map(([given, to]) => `CAST(${given} AS ${to})`),
  fc
    .tuple(value, type, fc.constantFrom(0, 1, 2, 3, 104, 112, 121, 126, 999))
    .map(([given, to, style]) => `CONVERT(${to}, ${given}, ${style})`),
  fc
    .tuple(value, fc.constantFrom('+', '-', '*', '/', '%', '&'), value)
    .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
);

test('any expression gives a value in the form of its type, or an error of SQL', async () => {
  const text = fc
    .tuple(expression, type)
    .chain(([sql, to]) =>
      fc.constantFrom(
        `SELECT ${sql}`,
        `DECLARE @v ${to} = ${sql}; SELECT @v`,
        `DECLARE @t TABLE (v ${to}); INSERT @t VALUES (${sql}); SELECT v FROM @t`,
        `SELECT t.x FROM (SELECT 1 AS one) AS o CROSS APPLY (SELECT ${sql} AS x) AS t ORDER BY t.x`,
      ),
    );
  // An error of another kind, or a value of another form, fails the request.
  await fc.assert(
    fc.asyncProperty(text, async (sql) => {
      await run(session, sql);
    }),
    numRuns(1_500),
  );
});
