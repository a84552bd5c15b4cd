/** Conditions that callers of the calendar can meet, with the codes that its clients know (behaviour section 2). */

import { CodedError, type ErrorKind } from '../errors.ts';
import type { Caller } from './model/rights.ts';

/** What is wrong with the value of a parameter; `isType` when it is of the wrong JSON type. */
export interface ParameterFault {
  readonly message: string;
  readonly isType?: boolean;
}

/** A fact of refusals: the record that the path names is one that the caller may not write to. */
export const readOnly = { readOnly: true } as const;

/** Makes a problem whose facts stand in `data` of the error body, or beside it in `additional`; `facts` are for its headers. */
export function problem(
  kind: ErrorKind,
  code: string,
  message: string,
  data: object = {},
  additional: object = {},
  facts: Readonly<Record<string, unknown>> = {},
): CodedError {
  return new CodedError(kind, code, message, { facts: { data, additional, ...facts } });
}

/** Required parameters are missing; `names` in the order of the field table. */
export function missingParameters(names: readonly string[]): CodedError {
  const message = `Cannot read the request: missing parameter(s): ${names.join(', ')}.`;
  return problem('invalid', 'rest_missing_callback_param', message, { params: names });
}

/** Parameters have bad values: all of them together, by name. */
export function invalidParameters(faults: Readonly<Record<string, ParameterFault>>): CodedError {
  const entries = Object.entries(faults);
  const types = entries.filter(([, { isType }]) => isType === true);
  return problem(
    'invalid',
    'rest_invalid_param',
    `Cannot read the request: invalid parameter(s): ${Object.keys(faults).join(', ')}.`,
    {
      params: Object.fromEntries(entries.map(([name, { message }]) => [name, message])),
      details:
        types.length === 0
          ? []
          : Object.fromEntries(
              types.map(([param, { message }]) => [
                param,
                { code: 'rest_invalid_type', message, data: { param } },
              ]),
            ),
    },
  );
}

/** One parameter has a bad value. */
export function invalidParameter(name: string, message: string): CodedError {
  return invalidParameters({ [name]: { message } });
}

/** The caller may not do something: 401 for those who are not signed in, 403 for others. */
export function notAllowed(
  caller: Caller,
  action: string,
  facts?: Readonly<Record<string, unknown>>,
): CodedError {
  const [kind, reason] =
    caller.subject === undefined
      ? (['unauthenticated', 'you are not signed in'] as const)
      : (['forbidden', 'you do not have the right to'] as const);
  return problem(kind, 'rest_forbidden', `Cannot ${action}: ${reason}.`, {}, {}, facts);
}

/** There is no such path, or it does not have the method. */
export function noRoute(): CodedError {
  return problem(
    'not-found',
    'rest_no_route',
    'Cannot answer: there is nothing at this path for this method.',
  );
}
