/** Reads the custom views and procedures behind REF and REF_RO registrations, all of an object in one round trip. */

import { CodedError } from '../../errors.ts';
import type { Database } from '../../sql/database.ts';
import { missingRight } from '../../sql/database-contract.ts';
import { SqlFailure } from '../../sql/failure.ts';
import { type StatementTimeout, sourceTimeout, timeoutOf } from '../../sql/slow-statement.ts';
import { refuseOpenTransaction } from '../../sql/transaction.ts';
import { int } from '../../sql/values.ts';
import { measureSources } from './measure-sources.ts';
import {
  checkSource,
  forbiddenByProcedures,
  getProcedure,
  type Reference,
  sourceFailed,
  sourceName,
} from './reference.ts';
import { sourceStatements } from './source-statements.ts';
import { type SourceValues, toSourceValues } from './source-values.ts';

/** The user in whose name procedures are called. */
export interface ActingUser {
  readonly usrPropID: number;
  readonly langID: number;
}

/** Reads the value of each reference. Throws `custom-data-source-missing`, `-failed` or `custom-data-forbidden`. */
export async function readSources(
  customization: Database,
  references: readonly Reference[],
  { propID, user }: { readonly propID: number; readonly user: ActingUser },
): Promise<SourceValues> {
  for (const reference of references) checkSource(reference);
  if (references.length === 0)
    return { values: new Map(), columns: new Map(), texts: new Map(), version: undefined };
  const { statements, parameters } = sourceStatements(references);
  const results = await customization
    .query(
      ['SET NOCOUNT ON;', refuseOpenTransaction, statements].join('\n'),
      {
        ...parameters,
        propID: int(propID),
        usrPropID: int(user.usrPropID),
        langID: int(user.langID),
      },
      {
        name: 'read sources',
        onResults: (results) => measureSources(references, results),
      },
    )
    .catch((error: unknown) => explainFailure(error, references, hintOfOthers(references)));
  return toSourceValues(references, results);
}

/** Throws the coded error of a failure of the statement that reads sources; other errors as they are. */
export function explainFailure(
  error: unknown,
  references: readonly Reference[],
  hint: { readonly hint?: string },
): never {
  const timeout = timeoutOf(error);
  if (timeout !== undefined) throw slowSource(timeout, references, hint);
  if (!(error instanceof SqlFailure)) throw error;
  const { number, procedure } = error;
  const raisedBy = references.find(({ identifier }) => error.isRaisedBy(getProcedure(identifier)));
  const { identifier } = raisedBy ?? (references.length === 1 ? references[0] : undefined) ?? {};
  const subject = identifier === undefined ? 'the custom data' : `the custom data "${identifier}"`;
  if (number === forbiddenByProcedures)
    throw new CodedError('custom-data-forbidden', `Cannot read ${subject}: ${error.message}`, {
      cause: error,
      ...hint,
      facts: { number, ...(identifier === undefined ? {} : { identifier }) },
    });
  const source = procedure === undefined ? 'its source' : `the procedure ${procedure}`;
  const reason = missingRight(error) ?? `${source} failed with SQL error ${number}`;
  throw sourceFailed(`Cannot read ${subject}: ${reason}.`, {
    cause: error,
    ...hint,
    facts: { number, ...(identifier === undefined ? {} : { identifier }) },
  });
}

/** The first source needs no step that tells that it begins. */
function slowSource(
  timeout: StatementTimeout,
  references: readonly Reference[],
  hint: { readonly hint?: string },
): unknown {
  const reference = references[timeout.step ?? 0];
  if (reference === undefined) return timeout;
  const { identifier } = reference;
  const slow = { action: `read the custom data "${identifier}"`, name: sourceName(reference) };
  return sourceTimeout(timeout, slow, { ...hint, facts: { identifier } });
}

function hintOfOthers(references: readonly Reference[]) {
  return references.length === 1 ? {} : { hint: 'Values of other sources can be read by their identifiers.' };
}
