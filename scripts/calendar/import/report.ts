/** Prints the report of an import. */

import type { ImportReport } from './import.ts';
import { maxListed, type RunReport } from './report-file.ts';
import type { RowReport } from './rows.ts';

/** Prints a report. Its lists are kept whole, for the files of which `file` is the path. */
export function sayReport(
  report: ImportReport | RowReport,
  run: RunReport,
  say: (line: string) => void,
  file: string,
): void {
  const { created, changed, unchanged, rejected } = report;
  say(`import: ${created} new, ${changed} changed, ${unchanged} unchanged.`);
  run.keep('refused', 'Refused', rejected);
  for (const line of rejectedLines(rejected)) say(line);
  if ('notes' in report) {
    run.keep('notes', 'Notes', report.notes);
    for (const line of report.notes) say(line);
    return;
  }
  const { changedHere, changedOnBothSides, differences } = report;
  run.list('changedHere', 'Changed here since, and left unchanged', changedHere);
  run.keep('changedOnBothSides', 'Changed on both sides, and left as here', changedOnBothSides);
  for (const line of all('Changed on both sides, and left as here', changedOnBothSides)) say(line);
  run.list('deletedHere', 'Deleted here, and left so', report.deletedHere);
  run.list('withdrawn', 'Withdrawn in the source, and here', report.withdrawn);
  run.list(
    'publishedHere',
    'ATTENTION: withdrawn in the source, and published here after that, so left public',
    report.publishedHere,
  );
  run.list('yielded', 'Under another slug, since a record of here has theirs', report.yielded);
  run.list(
    'refusedPaths',
    'Addresses of the source that lead nowhere here, since they are those of other pages, of this service, or of all below one word',
    report.refusedPaths,
  );
  run.list(
    'withoutPassword',
    'ATTENTION: imported without their password, so check who may read them',
    report.withPassword,
  );
  if (run.isShortened) say(`All lists are whole in ${file}.txt and ${file}.json.`);
  const compared = comparison(differences);
  run.keep(
    'differences',
    'Differences after the import',
    compared.slice(1).map((line) => line.trim()),
  );
  for (const line of compared) say(line);
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
