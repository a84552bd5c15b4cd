/** What the calendar API depends on, for GET /health. */

import * as Type from 'typebox';
import { CodedError } from '../../shared/errors.ts';
import type { Dependency } from '../../shared/http/health.ts';
import type { Calendar } from './calendar.ts';

const replicaSchema = Type.Object(
  {
    version: Type.Integer({ description: 'Version of the calendar: it grows with every change.' }),
    age: Type.Integer({
      description: 'Seconds since it was last known to be up to date; 0 while the tables can be reached.',
    }),
  },
  { description: 'The calendar as this instance has it in memory. Shown to callers with a role.' },
);

/** Returns the tables as a dependency. `calendar` is asked for on the first check. */
export function calendarDependency(calendar: () => Pick<Calendar, 'freshness'>): Dependency {
  return {
    name: 'calendar',
    silent: unreachable,
    // Reading the head of the log is cheap, and keeps nothing awake.
    shouldRecheck: () => true,
    async check() {
      const { stale } = await calendar().freshness();
      if (stale) throw unreachable();
    },
    details: {
      replica: {
        schema: replicaSchema,
        async read() {
          const { version, age } = await calendar().freshness();
          return { version, age };
        },
      },
    },
  };
}

function unreachable(): CodedError {
  return new CodedError('tables-unreachable', 'Cannot reach the tables of the calendar.');
}
