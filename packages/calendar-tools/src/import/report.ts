/** Prints the report of an import. */

import type { ImportReport } from './import.ts';
import type { RowReport } from './rows.ts';

/** Keys and rows in a list. */
const maxListed = 20;

/** Returns the lines of a report. */
export function reportLines(report: ImportReport | RowReport): string[] {
  const { created, changed, unchanged } = report;
  const first = `import: ${created} new, ${changed} changed, ${unchanged} unchanged.`;
  if ('rejected' in report)
    return [first, ...report.rejected.slice(0, maxListed).map((row) => `  refused: ${row}`)];
  const { changedHere, hidden, differences } = report;
  return [
    first,
    ...section('Changed here since, and left unchanged', changedHere),
    ...section('Imported without their password', hidden),
    differences.length === 0 ? 'Comparison: no differences.' : 'Comparison: these differ.',
    ...differences.map(({ name, count, example }) => `  ${name}: ${count}, for example ${example}`),
  ];
}

function section(title: string, keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  return [
    `${title}: ${keys.slice(0, maxListed).join(', ')}${keys.length > maxListed ? ', ...' : ''} (${keys.length}).`,
  ];
}
