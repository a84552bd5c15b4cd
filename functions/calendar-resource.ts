/** What the definitions of all five resources share. */

import type { TObject } from 'typebox';
import type { ParameterTable } from '../shared/calendar/parameters/parameter.ts';
import { bodySchema } from './calendar-parameters.ts';

/** A resource of the calendar. */
export interface Resource {
  /** Name of the collection, in paths and lists. */
  readonly collection: string;
  readonly tag: string;
  /** Fields on create and update. */
  readonly fields: ParameterTable;
  /** Parameters of the list. */
  readonly filters: ParameterTable;
  /** Schema of one record. */
  readonly schema: TObject;
}

/** Methods that update a record, all in the same way. */
export const updateMethods = ['POST', 'PUT', 'PATCH'] as const;

/** What callers of writes should expect. */
export const writeProblems = {
  400: 'A bad or missing parameter, or an unknown record.',
  401: 'Not signed in.',
  403: 'Signed in without the right.',
  404: 'Unknown event.',
  412: 'The record changed since the version that If-Match names.',
  503: 'The tables cannot be reached.',
} as const;

/** The body of a write: JSON or a form; every parameter may stand in the query too. */
export function bodyOf(fields: ParameterTable, options: { readonly isCreate: boolean }) {
  return {
    schema: bodySchema(fields, options),
    mediaTypes: ['application/json', 'application/x-www-form-urlencoded'],
    required: false,
  } as const;
}
