/** What SQL Server says of a custom source that failed, for callers with the role of the service, or for all where people develop. */

import type { ErrorCode } from '../../../shared/errors/codes.ts';
import type { CodedError } from '../../../shared/errors.ts';
import { SqlFailure } from '../../../shared/sql/failure.ts';
import type { RecordsCaller } from '../operations/records-service.ts';

/** The errors that a view or procedure of the customer raises. */
const sourceErrors = new Set<ErrorCode>([
  'custom-data-conflict',
  'custom-data-source-failed',
  'custom-data-value',
  'database-contract',
  'reference-data-source-failed',
]);

/** Errors whose message says already what is missing: the text of those about rights names databases. */
const explainedErrors = new Set([207, 208, 229, 230]);

/** Characters of the text, at most. */
const maxLength = 300;

/** Returns an error with the text of the server in its message, where the caller may see it. */
export function withSourceText(
  error: CodedError,
  { caller }: { readonly caller?: RecordsCaller },
): CodedError {
  const { cause, code, message } = error;
  if (caller?.seesSourceErrors !== true || !sourceErrors.has(code)) return error;
  if (!(cause instanceof SqlFailure) || explainedErrors.has(cause.number)) return error;
  return { ...error, name: error.name, message: `${message.replace(/\.$/, '')}: ${bounded(cause.message)}` };
}

function bounded(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 3).toWellFormed()}...`;
}
