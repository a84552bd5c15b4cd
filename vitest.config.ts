import { configDefaults, defineConfig } from 'vitest/config';
import { FailureList } from './test/support/failure-list.ts';

/** What all projects have in common. */
const test = {
  // Only a test that hangs reaches these limits: a busy machine is no failure.
  testTimeout: 600_000 * Number(process.env['PROPERTY_RUNS'] ?? 1),
  expect: { poll: { timeout: 300_000 } },
  hookTimeout: 600_000,
  // In a pipeline one stall of a shared machine must not cost a whole run; the report counts what was tried twice.
  retry: process.env['CI'] === undefined ? 0 : 1,
};

/** Tests over shared emulators, most of them of what runs in processes of its own. */
const overTheWire = [
  'test/api/**/*.test.ts',
  'test/contract/*-sql.test.ts',
  'test/contract/local-sql-server/deployment.test.ts',
  'test/contract/calendar-{log,log-concurrency,log-faults,pictures}.test.ts',
  'packages/calendar-tools/test/**/*.test.ts',
];

/** What test files share. */
const temporaryFolder = 'test/support/temporary-folder.ts';
const emulators = ['test/support/shared-emulators.ts', 'test/support/cached-document.ts'];

/** Tests that change the environment or the certificates of their process, of which some libraries, and Node, keep what they found first. */
const inProcessesOfTheirOwn = [
  'test/contract/calendar-log-identity.test.ts',
  'test/contract/local-sql-server/managed-identity.test.ts',
  'test/contract/managed-identity-faults.test.ts',
  'test/unit/infra/deploy/parts.test.ts',
  'test/unit/shared/auth/signing-keys.test.ts',
  'test/unit/shared/managed-identity.test.ts',
];

/** Tests of what stands around the app: its emulators and infrastructure, scripts and pages for people, and what others make of its document. `npm run test:app` leaves them out. */
export const aroundTheApp = [
  'packages/*/test/**/*.test.ts',
  'test/api/{examples,first-custom-source,openapi-lint,pages-in-browser,readme,records-on-adopted,smoke-test}.test.ts',
  'test/contract/local-sql-server/**/*.test.ts',
  'test/unit/contributing.test.ts',
  'test/unit/{infra,local,scripts}/**/*.test.ts',
];

/** Files that leave nothing behind in their process, so the next one takes it over with all that is loaded. */
const inSharedProcesses = { isolate: false };

export default defineConfig({
  test: {
    // Beyond two cores: many tests wait for processes, or for time to pass.
    maxWorkers: 6,
    reporters: [['default', { summary: false }], new FailureList()],
    slowTestThreshold: Number.POSITIVE_INFINITY,
    projects: [
      {
        test: {
          ...test,
          name: 'api',
          include: overTheWire,
          exclude: [...configDefaults.exclude, ...inProcessesOfTheirOwn],
          globalSetup: [temporaryFolder, ...emulators],
          ...inSharedProcesses,
        },
      },
      {
        test: {
          ...test,
          name: 'app',
          include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...overTheWire, ...inProcessesOfTheirOwn, 'test/engines/**'],
          globalSetup: [temporaryFolder, 'test/support/build-once.ts'],
          ...inSharedProcesses,
        },
      },
      { test: { ...test, name: 'isolated', include: inProcessesOfTheirOwn, globalSetup: temporaryFolder } },
    ],
  },
});
