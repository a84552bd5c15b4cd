/** What the records API depends on, for GET /health: each check reports the same causes as the endpoints. */

import type { Dependency } from '../shared/http/health.ts';
import { readRegistrations } from '../shared/records/registrations.ts';
import type { RecordsService } from './records-caller.ts';

/** Milliseconds for one check. */
const checkTime = 8_000;

/** Gives the two databases as dependencies. */
export function recordsDependencies({ databases, objects, users }: RecordsService): Dependency[] {
  return [
    {
      name: 'main-database',
      async check() {
        const { main } = databases.within(Date.now() + checkTime);
        await users.service(main);
        await objects.confirm(main);
      },
    },
    {
      name: 'customization-database',
      async check() {
        await readRegistrations(databases.within(Date.now() + checkTime).customization, 0);
      },
    },
  ];
}
