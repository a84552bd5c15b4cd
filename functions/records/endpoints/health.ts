/** What the records API depends on, for GET /health: the check finds the same causes as the endpoints. */

import * as Type from 'typebox';
import { createCache, loadThrough } from '../../../shared/cache.ts';
import {
  findMissingSources,
  type MissingSource,
  maxMissingSources,
} from '../../../shared/custom-data/missing-sources.ts';
import { readRegistrations } from '../../../shared/custom-data/registrations.ts';
import { CodedError } from '../../../shared/errors.ts';
import type { Dependency } from '../../../shared/http/health.ts';
import { hasMetadataJournal } from '../changes/feed.ts';
import { checkRights } from '../database/rights.ts';
import { isSchemaAhead, readSchemaVersions, schemaAhead } from '../database/schema.ts';
import type { RecordsService } from '../operations/records-service.ts';

/** Milliseconds for the check. */
const checkTime = 8_000;

/** Milliseconds for which missing sources are remembered: to find them, every registration is read. */
const missingSourcesFor = 60_000;

const schemaVersion = Type.Object({
  applied: Type.Integer({ description: 'Number of the last script that has run; 0: none.' }),
  expected: Type.Integer({
    description: 'Number of the last script that this version of the service needs.',
  }),
});

const schemaVersions = Type.Object(
  { main: schemaVersion, customization: schemaVersion },
  { description: "Versions of the databases' schemas. Shown to callers with a role." },
);

const missingSources = Type.Array(
  Type.Object({
    kind: Type.String({ description: 'REF or REF_RO.' }),
    identifier: Type.String(),
    lookedFor: Type.Array(Type.String(), {
      description: 'The procedure and the view, of which one is needed.',
    }),
    problem: Type.Union([Type.Literal('missing'), Type.Literal('without-propID')], {
      description: 'without-propID: the view is there, but lacks the column that it must have.',
    }),
  }),
  {
    maxItems: maxMissingSources,
    description: `Sources of custom data that are registered, and cannot be read because they are not there; as of a minute ago at most, the first ${maxMissingSources} by identifier. Shown to callers with a role.`,
  },
);

const changesSchema = Type.Object(
  {
    customData: Type.Boolean(),
    metadata: Type.Boolean({
      description: 'False where the main database has no journal, as that of an existing product.',
    }),
  },
  { description: 'What the change feed has. Shown to callers with a role.' },
);

/** The database answers, and callers have to wait for it. */
const allInUse = {
  code: 'database-busy',
  detail: 'The database answers; the statements of callers use all connections to it.',
};

/** Returns the two databases as one dependency: both must be there, with the service's account, its procedure, its rights and its schema. */
export function recordsDependency({
  databases,
  objects,
  users,
  bindings,
  served,
  sources,
  settingsError,
}: RecordsService): Dependency {
  const within = () => databases.within(Date.now() + checkTime);
  // A service whose callers use all connections is still ready.
  const beyondPools = () => databases.beyondPools(Date.now() + checkTime);
  const missing = createCache<'all', Promise<readonly MissingSource[]>>({
    maxEntries: 1,
    ttl: missingSourcesFor,
  });
  return {
    name: 'database',
    silent: () =>
      new CodedError('database-unavailable', 'Cannot use the database: it does not answer in time.'),
    shouldRecheck: ({ code }) =>
      databases.failing.main || databases.failing.customization || code === allInUse.code,
    // A check that failed for another reason finds it again, whatever callers are answered.
    hasRecovered: ({ code }) =>
      code === 'database-unavailable' && !databases.failing.main && !databases.failing.customization,
    async check() {
      const { main, customization } = beyondPools();
      if (settingsError !== undefined) throw settingsError;
      await Promise.all([
        users.service(main),
        objects.confirm(main),
        readRegistrations(customization, { propID: 0 }),
        ...served.metadata.map((name) => sources.of(main, served.kindOf(name))),
      ]);
      await checkRights({ main, customization }, served.metadata.map(served.kindOf), bindings.isOn());
    },
    async notice() {
      if (await isSchemaAhead(beyondPools())) return schemaAhead;
      return databases.areInUse ? allInUse : undefined;
    },
    details: {
      schema: { schema: schemaVersions, read: async () => readSchemaVersions(within()) },
      changes: {
        schema: changesSchema,
        read: async () => ({ customData: true, metadata: await hasMetadataJournal(within().main) }),
      },
      missingSources: {
        schema: missingSources,
        read: async () => loadThrough(missing, 'all', () => findMissingSources(within().customization)),
      },
    },
  };
}
