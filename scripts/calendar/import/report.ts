/** Prints the report of an import. */

import type { ImportReport } from './import.ts';
import type { RowReport } from './rows.ts';

/** Keys and rows in a list. */
const maxListed = 20;

/** Returns the lines of a report. */
export function reportLines(report: ImportReport | RowReport): string[] {
  const { created, changed, unchanged } = report;
  const lines = [
    `import: ${created} new, ${changed} changed, ${unchanged} unchanged.`,
    ...rejectedLines(report.rejected),
  ];
  if ('notes' in report) return [...lines, ...report.notes];
  const { changedHere, withPassword, differences } = report;
  return [
    ...lines,
    ...section('Changed here since, and left unchanged', changedHere),
    ...all('Changed on both sides, and left as here', report.changedOnBothSides),
    ...section('Deleted here, and left so', report.deletedHere),
    ...section('Withdrawn in the source, and here', report.withdrawn),
    ...section(
      'ATTENTION: withdrawn in the source, and published here after that, so left public',
      report.publishedHere,
    ),
    ...section('ATTENTION: imported without their password, so check who may read them', withPassword),
    ...comparison(differences),
  ];
}

function rejectedLines(rejected: readonly string[]): string[] {
  const more = rejected.length - maxListed;
  return [
    ...rejected.slice(0, maxListed).map((row) => `  refused: ${row}`),
    ...(more > 0 ? [`  refused: ${more} more`] : []),
  ];
}

function comparison(differences: ImportReport['differences']): string[] {
  if (differences === undefined) return [];
  return [
    differences.length === 0 ? 'Comparison: no differences.' : 'Comparison: these differ.',
    ...differences.map(({ name, count, example }) => `  ${name}: ${count}, for example ${example}`),
  ];
}

/** Returns the lines of a list of which each item matters, without a line for an empty list. */
function all(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${title} (${items.length}):`, ...items.map((item) => `  ${item}`)];
}

/** Returns the line of a list of keys, without a line for an empty list. */
export function section(title: string, keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  return [
    `${title}: ${keys.slice(0, maxListed).join(', ')}${keys.length > maxListed ? ', ...' : ''} (${keys.length}).`,
  ];
}
