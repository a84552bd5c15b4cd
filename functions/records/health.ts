/** What the records API depends on, for GET /health: the check finds the same causes as the endpoints. */

import type { Dependency } from '../../shared/http/health.ts';
import { readRegistrations } from '../../shared/records/custom-data/registrations.ts';
import { isSchemaAhead, schemaAhead } from '../../shared/records/schema.ts';
import type { RecordsService } from './caller.ts';

/** Milliseconds for the check. */
const checkTime = 8_000;

/** Returns the two databases as one dependency: both must be there, with the service's account, its procedure and its schema. */
export function recordsDependency({ databases, objects, users, checkSettings }: RecordsService): Dependency {
  return {
    name: 'database',
    shouldRecheck: () => databases.failing.main || databases.failing.customization,
    async check() {
      const { main, customization } = databases.within(Date.now() + checkTime);
      checkSettings();
      await Promise.all([
        users.service(main),
        objects.confirm(main),
        readRegistrations(customization, { propID: 0 }),
      ]);
    },
    async notice() {
      return (await isSchemaAhead(databases.within(Date.now() + checkTime))) ? schemaAhead : undefined;
    },
  };
}
