/** `npm test`: the tests of the app, over HTTP and by unit, and of the calendar's import and export. `npm run test:tools` has those of what stands around it, `npm run test:dev-stack` those of the dev stack. */

import { configDefaults, defineConfig } from 'vitest/config';
import { FailureList } from './test/support/failure-list.ts';

/** What all projects have in common. */
const everywhere = {
  // Only a test that hangs reaches these limits: a busy machine is no failure.
  testTimeout: 600_000 * Number(process.env['PROPERTY_RUNS'] ?? 1),
  expect: { poll: { timeout: 300_000 } },
  hookTimeout: 600_000,
};

/** What test files share. */
const temporaryFolder = 'test/support/temporary-folder.ts';
const emulators = ['test/support/shared-emulators.ts', 'test/support/cached-document.ts'];

interface Suite {
  /** Tests over shared emulators. */
  overTheWire: string[];
  /** Tests without them. */
  others: string[];
  /** Tests, of either, that change the environment or the certificates of their process, of which some libraries, and Node, keep what they found first. */
  inProcessesOfTheirOwn: string[];
  /** Whether to build the app before the tests without emulators. Default: true. */
  build?: boolean;
}

/** Returns the configuration of a command that runs a suite. */
export function runOf({ overTheWire, others, inProcessesOfTheirOwn, build = true }: Suite) {
  const exclude = [...configDefaults.exclude, ...inProcessesOfTheirOwn];
  // Files that leave nothing behind in their process, so the next one takes it over with all that is loaded.
  const shared = { ...everywhere, isolate: false };
  const projects = [
    {
      ...everywhere,
      name: 'alone',
      include: inProcessesOfTheirOwn,
      globalSetup: temporaryFolder,
    },
    {
      ...shared,
      // Projects run in the order of their names: these wait most, so they begin before the unit tests, which fill the gaps.
      name: 'emulators',
      include: overTheWire,
      exclude,
      globalSetup: [temporaryFolder, ...emulators],
    },
    {
      ...shared,
      name: 'unit',
      include: others,
      exclude: [...exclude, ...overTheWire],
      globalSetup: [temporaryFolder, ...(build ? ['test/support/build-once.ts'] : [])],
    },
  ];
  return defineConfig({
    test: {
      // Beyond two cores: many tests wait for processes, or for time to pass.
      maxWorkers: 6,
      reporters: [['default', { summary: false }], new FailureList()],
      slowTestThreshold: Number.POSITIVE_INFINITY,
      projects: projects.map((test) => ({ test })),
    },
  });
}

export default runOf({
  overTheWire: [
    'test/api/**/*.test.ts',
    'test/contract/*-sql.test.ts',
    'test/contract/calendar-{log,log-concurrency,log-faults,log-snapshots,pictures}.test.ts',
    'test/calendar-commands/**/*.test.ts',
  ],
  others: ['test/{contract,unit}/**/*.test.ts'],
  inProcessesOfTheirOwn: [
    'test/contract/{calendar-log-identity,managed-identity-faults}.test.ts',
    'test/unit/shared/auth/signing-keys.test.ts',
    'test/unit/shared/managed-identity.test.ts',
  ],
});
