import { configDefaults, defineConfig } from 'vitest/config';

/** What all projects have in common. */
const test = {
  testTimeout: 90_000 * Number(process.env['PROPERTY_RUNS'] ?? 1),
  // A busy machine is no failure: whatever is waited for has this long.
  expect: { poll: { timeout: 20_000 } },
  hookTimeout: 120_000,
  // In a pipeline one stall of a shared machine must not cost a whole run; the report counts what was tried twice.
  retry: process.env['CI'] === undefined ? 0 : 1,
};

/** Tests of what runs in processes of its own, over shared emulators. */
const overTheWire = ['test/api/**/*.test.ts', 'test/contract/*-sql.test.ts'];

export default defineConfig({
  test: {
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...test,
          name: 'api',
          include: overTheWire,
          globalSetup: ['build-once', 'shared-emulators', 'kept-document'].map(
            (name) => `test/support/${name}.ts`,
          ),
        },
      },
      {
        test: {
          ...test,
          name: 'app',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...overTheWire],
          globalSetup: ['test/support/build-once.ts'],
        },
      },
      {
        test: {
          ...test,
          name: 'local-sql-server',
          include: ['packages/local-sql-server/test/**/*.test.ts'],
          // These files leave nothing behind in their process, so the next one takes it over with all that is loaded.
          isolate: false,
        },
      },
    ],
  },
});
