/** Every query of operators, analysed by Microsoft's language service against the columns of the tables. */

import { describe, expect, test } from 'vitest';
import { logTables } from '../support/log-tables.ts';
import { queries } from '../support/operator-queries.ts';
import { createAnalyzer } from './kusto.ts';

const analyze = createAnalyzer(logTables);

describe('the query of', () => {
  test.each(queries)('%s is sound', (_name, query) => {
    expect(analyze(query)).toEqual([]);
  });

  test('a column, function or table that does not exist is found', () => {
    const mistakes = [
      'traces | where mesage has "x"',
      'traces | extend a = parsejson2(message)',
      'tracs',
      'traces | whre',
    ];
    expect(mistakes.map((query) => analyze(query).length > 0)).toEqual(mistakes.map(() => true));
  });
});
