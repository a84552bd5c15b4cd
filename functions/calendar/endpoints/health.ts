/** What the calendar API depends on, for GET /health. */

import * as Type from 'typebox';
import { CodedError } from '../../../shared/errors.ts';
import type { Dependency } from '../../../shared/http/health.ts';
import type { Progress } from '../log/log.ts';
import type { Calendar } from '../operations/calendar.ts';

const replicaSchema = Type.Object(
  {
    version: Type.Integer({ description: 'Version of the calendar: it grows with every change.' }),
    wanted: Type.Integer({
      description: 'Version that it is brought up to. While it is being loaded, how far that is.',
    }),
    records: Type.Integer({ description: 'Number of its records.' }),
    age: Type.Optional(
      Type.Integer({
        description:
          'Seconds since it was last known to be up to date; 0 while the tables can be reached. Absent until it is loaded.',
      }),
    ),
  },
  { description: 'The calendar as this instance has it in memory. Shown to callers with a role.' },
);

/** Returns the tables as a dependency. `calendar` is asked for on the first check. */
export function calendarDependency(
  calendar: () => Pick<Calendar, 'freshness' | 'progress' | 'reachedAt'>,
): Dependency {
  return {
    name: 'calendar',
    silent: () => stillLoading(calendar().progress()) ?? unreachable(),
    // Reading the head of the log is cheap, and keeps nothing awake.
    shouldRecheck: () => true,
    // With a setting that cannot be used there is no calendar to ask, and none comes.
    hasRecovered: ({ code, since }) => code !== 'configuration' && calendar().reachedAt() > Date.parse(since),
    async check() {
      const { stale } = await calendar().freshness();
      if (stale) throw unreachable();
    },
    details: {
      replica: {
        schema: replicaSchema,
        async read() {
          const { isWhole, ...progress } = calendar().progress();
          if (!isWhole) return progress;
          const { age } = await calendar().freshness();
          const { version, wanted, records } = calendar().progress();
          return { version, wanted, records, age };
        },
      },
    },
  };
}

/** Creates the error of a calendar that is being loaded; undefined where the tables have told nothing yet. */
function stillLoading({ isWhole, version, wanted, records }: Progress): CodedError | undefined {
  if (isWhole || wanted === 0) return undefined;
  return new CodedError(
    'calendar-unavailable',
    `Cannot read the calendar: it is still being loaded (version ${version} of ${wanted}, ${records} records).`,
  );
}

function unreachable(): CodedError {
  return new CodedError('tables-unreachable', 'Cannot reach the tables of the calendar.');
}
