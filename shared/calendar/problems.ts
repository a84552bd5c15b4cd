/** Conditions that callers of the calendar can meet, with the codes that its clients know (behaviour section 2). */

import { CodedError } from '../errors.ts';
import type { Caller } from './model/rights.ts';

/** What is wrong with the value of a parameter; `isType` when it is of the wrong JSON type. */
export interface ParameterFault {
  readonly message: string;
  readonly isType?: boolean;
}

/** A fact of refusals: the record that the path names is one that the caller may not write to. */
export const readOnly = { readOnly: true } as const;

/** Required parameters are missing; `names` in the order of the field table. */
export function missingParameters(names: readonly string[]): CodedError {
  const message = `Cannot read the request: missing parameter(s): ${names.join(', ')}.`;
  return new CodedError('rest_missing_callback_param', message, { facts: { data: { params: names } } });
}

/** Parameters have bad values: all of them together, by name. */
export function invalidParameters(faults: Readonly<Record<string, ParameterFault>>): CodedError {
  const entries = Object.entries(faults);
  const types = entries.filter(([, { isType }]) => isType === true);
  const params = Object.fromEntries(entries.map(([name, { message }]) => [name, message]));
  const details = Object.fromEntries(
    types.map(([param, { message }]) => [param, { code: 'rest_invalid_type', message, data: { param } }]),
  );
  return new CodedError(
    'rest_invalid_param',
    `Cannot read the request: invalid parameter(s): ${Object.keys(faults).join(', ')}.`,
    { facts: { data: { params, details: types.length === 0 ? [] : details } } },
  );
}

/** One parameter has a bad value. */
export function invalidParameter(name: string, message: string): CodedError {
  return invalidParameters({ [name]: { message } });
}

/** The caller may not do something: 401 for those who are not signed in, 403 for others. */
export function notAllowed(caller: Caller, action: string, facts: Partial<typeof readOnly> = {}): CodedError {
  return caller.subject === undefined
    ? new CodedError('not-signed-in', `Cannot ${action}: you are not signed in.`, { facts })
    : new CodedError('rest_forbidden', `Cannot ${action}: you do not have the right to.`, { facts });
}

/** There is no such path, or it does not have the method. */
export function noRoute(): CodedError {
  return new CodedError('rest_no_route', 'Cannot answer: there is nothing at this path for this method.');
}
