/** What SQL Server's errors mean when a custom procedure raised them. */

import type { ErrorCode } from '../../errors/codes.ts';

/** Numbers from here on are raised by procedures themselves, with a message for the caller. */
export const raisedByProcedures = 50_000;

/** A parameter without a default was not passed. */
export const parameterMissing = 201;

const meanings = {
  /** A constraint, a unique index or a primary key refuses the change. */
  'custom-data-conflict': [547, 2601, 2627],
  /** A value does not fit where the procedure puts it: it is too large or too long, has another form, or may not be NULL. */
  'custom-data-value': [
    ...[220, 232, 234, 235, 236, 237, 238, 241, 242, 244, 245, 248, 289, 293, 294, 295, 296, 298],
    ...[515, 517, 535, 536, 537, 1007, 2628, 3606, 8023, 8114, 8115, 8152, 8169, 8170],
    ...[9402, 9410, 9411, 9420, 9421, 9422, 9437, 9438, 9441, 9444, 9448, 9455, 9803, 9807],
    ...[13608, 13609, 13623, 13624],
  ],
} as const satisfies Partial<Record<ErrorCode, readonly number[]>>;

/** The code of an error by its number; others are faults of the procedure. */
export const procedureErrors: ReadonlyMap<number, keyof typeof meanings> = new Map(
  Object.entries(meanings).flatMap(([code, numbers]) =>
    numbers.map((number) => [number, code as keyof typeof meanings] as const),
  ),
);
