/** The queries of operators, as their files have them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import alerts from '../../infra/queries/alerts.json' with { type: 'json' };
import workbook from '../../infra/queries/workbook.json' with { type: 'json' };

/** Those of `operations.kql`, which docs/run.md shows. */
const operations = readFileSync(join(import.meta.dirname, '../../infra/queries/operations.kql'), 'utf8')
  .trimEnd()
  .split('\n\n');

const tiles = workbook.items.flatMap(({ name, content }) =>
  'query' in content ? [[`the workbook: ${name}`, String(content.query)] as const] : [],
);

/** All of them, each with its name. */
export const queries = [
  ...alerts.logAlerts.map(({ name, query }) => [`the alert ${name}`, query] as const),
  ...tiles,
  ...operations.map((query) => [`operations: ${query.split('\n', 1)[0]}`, query] as const),
];
