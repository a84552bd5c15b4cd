/** The findings of a check of the contract, one line each. */

import type { DatabaseKind } from '../migrate/scripts.ts';

export type State = 'found' | 'missing' | 'different';

export interface Finding {
  readonly state: State;
  readonly database: DatabaseKind;
  /** The object, column or right, such as `column email of vServiceUsers`. */
  readonly what: string;
  /** The difference, or the remedy. */
  readonly detail?: string;
}

/** Returns the line of a finding: state, database, subject, and after a colon the detail. */
export function findingLine({ state, database, what, detail }: Finding): string {
  return `${state.padEnd(9)} ${database.padEnd(13)} ${what}${detail === undefined ? '' : `: ${detail}`}`;
}

/** Returns the lines of what is found; rights in one line for each database. */
export function foundLines(findings: readonly Finding[]): string[] {
  const found = findings.filter(({ state }) => state === 'found');
  const isRight = ({ what }: Finding) => what.startsWith('right to ');
  const rights = Map.groupBy(found.filter(isRight), ({ database }) => database);
  const counts = [...rights].map(
    ([database, items]): Finding => ({ state: 'found', database, what: `${items.length} rights` }),
  );
  return [...found.filter((finding) => !isRight(finding)), ...counts].map(findingLine);
}

/** Returns a sentence with the number of findings by state. */
export function findingsSummary(findings: readonly Finding[]): string {
  const count = (state: State) => findings.filter((finding) => finding.state === state).length;
  return `Contract: ${count('found')} found, ${count('missing')} missing, ${count('different')} different.`;
}
