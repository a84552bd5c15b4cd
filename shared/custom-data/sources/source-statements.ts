/** The statements that read custom views and procedures, all of an object in one batch. */

import { callProcedure } from '../../sql/foreign-procedures.ts';
import { beginStep } from '../../sql/slow-statement.ts';
import { endOpenTransaction } from '../../sql/transaction.ts';
import { nvarchar } from '../../sql/values.ts';
import { readView, viewVariables } from '../../sql/view-rows.ts';
import { selectVersion } from '../registrations.ts';
import { getProcedure, type Reference } from './reference.ts';
import { markerOf } from './source-results.ts';

/** Returns the statement that calls the procedure of an identifier for an object. It uses `@usrPropID` and `@langID` of its batch. */
export function callOf(identifier: string, propID: string): string {
  return callProcedure(getProcedure(identifier), [
    `@propID = ${propID}`,
    '@usrPropID = @usrPropID',
    '@langID = @langID',
  ]);
}

/** The statements that read sources, with their own parameters. They use `@propID`, `@usrPropID` and `@langID` of their batch. */
export function sourceStatements(references: readonly Reference[]) {
  const views = references.flatMap(({ identifier, source }, index) =>
    source.hasProcedure ? [] : [[`view${index}`, nvarchar(`CustomData_${identifier}`, 128)] as const],
  );
  const reads = references.map(({ identifier, source }, index) => {
    const read = source.hasProcedure
      ? callOf(identifier, '@propID')
      : readView({
          view: `@view${index}`,
          filter: { column: 'propID', value: '@propID' },
          filterRequired: true,
        });
    // The first is known to be read where no other one is.
    const step = index === 0 ? '' : beginStep(index);
    return `${step}\n${markerOf(index)}\n${read}`;
  });
  return {
    statements: [
      viewVariables,
      ...reads,
      markerOf(reads.length),
      endOpenTransaction,
      `${selectVersion};`,
    ].join('\n'),
    parameters: Object.fromEntries(views),
  };
}
