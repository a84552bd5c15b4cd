/** The end of an import, as people read it. */

import type { ImportReport } from './import.ts';
import type { RowReport } from './rows.ts';

const maxNamed = 20;

/** Returns the lines of a report. */
export function reportLines(report: ImportReport | RowReport): string[] {
  const { created, changed, unchanged } = report;
  const first = `import: ${created} new, ${changed} changed, ${unchanged} unchanged.`;
  if ('refused' in report)
    return [first, ...report.refused.slice(0, maxNamed).map((one) => `  refused: ${one}`)];
  const { changedHere, hidden, differences } = report;
  return [
    first,
    ...section('Changed here since, and left so', changedHere),
    ...section('Behind a password there, which does not come along', hidden),
    differences.length === 0 ? 'Comparison: no differences.' : 'Comparison: these differ.',
    ...differences.map(({ name, count, example }) => `  ${name}: ${count}, for example ${example}`),
  ];
}

function section(what: string, keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  return [
    `${what}: ${keys.slice(0, maxNamed).join(', ')}${keys.length > maxNamed ? ', ...' : ''} (${keys.length}).`,
  ];
}
