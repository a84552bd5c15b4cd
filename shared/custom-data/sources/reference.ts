/** A registration whose value comes from a custom view or procedure, and whether that can be read. */

import { CodedError, type ErrorOptions } from '../../errors.ts';
import type { Registration } from '../registrations.ts';

/** A registration of a source: of the kind REF or REF_RO. */
export type Reference = Extract<Registration, { kind: 'REF' | 'REF_RO' }>;

/** Returns the name of the procedure that reads an identifier. */
export function getProcedure(identifier: string): string {
  return `pCustomData_${identifier}_Get`;
}

/** Returns the name of the procedure or the view of a source. */
export function sourceName({ identifier, source }: Reference): string {
  return source.hasProcedure
    ? `the procedure ${getProcedure(identifier)}`
    : `the view CustomData_${identifier}`;
}

/** Checks whether a source can be read at all. */
export function isReadable({ source }: Reference): boolean {
  return source.hasProcedure || source.view === 'usable';
}

/** Throws `custom-data-source-missing` or `-failed` for a source that cannot be read. */
export function checkSource(reference: Reference): void {
  if (isReadable(reference)) return;
  const { identifier, source } = reference;
  if (source.view === 'without-propID')
    throw sourceFailed(
      `Cannot read the custom data "${identifier}": the view CustomData_${identifier} has no column propID.`,
      {
        facts: { identifier },
        hint: 'Give it the column propID, which says to which object a row belongs.',
      },
    );
  throw new CodedError(
    'custom-data-source-missing',
    `Cannot read the custom data "${identifier}": neither the procedure ${getProcedure(identifier)} nor the view CustomData_${identifier} exists.`,
    {
      facts: { identifier },
      hint: 'Create one of them in the customization database, give the user of the service the right to it, or remove the registration.',
    },
  );
}

/** The number with which a procedure refuses the user, with a message for them: `THROW 50403, N'...', 1`. */
export const forbiddenByProcedures = 50_403;

/** Returns the error for a source that is there, and cannot be read. */
export function sourceFailed(
  message: string,
  options: ErrorOptions<'custom-data-source-failed'>,
): CodedError {
  return new CodedError('custom-data-source-failed', message, options);
}
