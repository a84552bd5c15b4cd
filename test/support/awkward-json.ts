/** JSON that is hard to keep. */

/** Values that a careless service changes, as source text. */
export const awkwardValues: Readonly<Record<string, string>> = {
  integer: '12345678901234567890',
  decimals: '1.10',
  huge: '1e400',
  minusZero: '-0',
  exponent: '1.50E+2',
  nestedNumbers: '{"a":[1.0,-0.00,9007199254740993]}',
  __proto__x: '{"__proto__":{"polluted":true},"constructor":1}',
  emptyKeys: '{"":{"":[]}}',
  duplicateKeys: '{"a":1,"a":2}',
  escapes: '"\\u0041\\u00e5\\/\\b\\f\\n\\r\\t\\u0001"',
  astral: '"😀 \\ud83d\\ude00"',
  separators: '"\u2028\u2029\u00a0\ufeff"',
  quotes: '"it\'s \\"quoted\\"; DROP TABLE x; -- [a]] %"',
  literals: '[true,false,null]',
  empty: '""',
  deep: `${'['.repeat(98)}${']'.repeat(98)}`,
  long: JSON.stringify('x'.repeat(70_000)),
};
