/** Conditions that callers of the calendar can meet, with the codes that its clients know (docs/calendar-contract.md, "Errors"). */

import { CodedError } from '../../../shared/errors.ts';
import type { Caller } from './rights.ts';

/** What is wrong with the value of a parameter; `isType` when it is of the wrong JSON type. */
export interface ParameterError {
  readonly message: string;
  readonly isType?: boolean;
}

/** A fact of refusals: the record that the path names is one that the caller may not write to. */
export const readOnly = { readOnly: true } as const;

/** Refuses a create whose required parameters are missing; `names` in the order of the field table. */
export function missingParameters(names: readonly string[]): CodedError {
  const message = `Cannot read the request: missing parameter(s): ${names.join(', ')}.`;
  return new CodedError('rest_missing_callback_param', message, { facts: { data: { params: names } } });
}

/** Refuses bad values of parameters, all together by name. */
export function invalidParameters(errors: Readonly<Record<string, ParameterError>>): CodedError {
  const entries = Object.entries(errors);
  const types = entries.filter(([, { isType }]) => isType === true);
  const params = Object.fromEntries(entries.map(([name, { message }]) => [name, message]));
  const details = Object.fromEntries(
    types.map(([param, { message }]) => [param, { code: 'rest_invalid_type', message, data: { param } }]),
  );
  return new CodedError(
    'rest_invalid_param',
    `Cannot read the request: invalid parameter(s): ${Object.keys(errors).join(', ')}.`,
    { facts: { data: { params, details: types.length === 0 ? [] : details } } },
  );
}

/** Refuses the bad value of one parameter. */
export function invalidParameter(name: string, message: string): CodedError {
  return invalidParameters({ [name]: { message } });
}

/** Rejects a call without the right: 401 for callers who are not signed in, 403 for others. */
export function notAllowed(caller: Caller, action: string, facts: Partial<typeof readOnly> = {}): CodedError {
  return caller.subject === undefined
    ? new CodedError('not-signed-in', `Cannot ${action}: you are not signed in.`, { facts })
    : new CodedError('rest_forbidden', `Cannot ${action}: you do not have the right to.`, { facts });
}

/** Refuses to show a record for editing: 401 for callers who are not signed in, 403 for others. */
export function forbiddenContext({ subject }: Caller): CodedError {
  return subject === undefined
    ? new CodedError('not-signed-in-to-edit', 'Cannot show it for editing: you are not signed in.')
    : new CodedError('rest_forbidden_context', 'Cannot show it for editing: you do not have the right to.');
}

/** Refuses a path that does not exist, or does not have the method. */
export function noRoute(): CodedError {
  return new CodedError('rest_no_route', 'Cannot answer: there is nothing at this path for this method.');
}

/** Refuses a series that does not exist, or none of whose dates the caller may read. */
export function noSeries(): CodedError {
  return new CodedError('series-not-found', 'Cannot answer: there is no such series.');
}
