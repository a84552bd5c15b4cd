import { defineConfig } from 'vitest/config';

/** What all projects have in common. */
const test = {
  testTimeout: 90_000 * Number(process.env['PROPERTY_RUNS'] ?? 1),
  // A busy machine is no failure: whatever is waited for has this long.
  expect: { poll: { timeout: 20_000 } },
  hookTimeout: 120_000,
  // In a pipeline one stall of a shared machine must not cost a whole run; the report counts what was tried twice.
  retry: process.env['CI'] === undefined ? 0 : 1,
};

export default defineConfig({
  test: {
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...test,
          name: 'app',
          include: ['test/**/*.test.ts'],
          globalSetup: ['build-once', 'shared-emulators', 'kept-document'].map(
            (name) => `test/support/${name}.ts`,
          ),
        },
      },
      {
        test: { ...test, name: 'local-sql-server', include: ['packages/local-sql-server/test/**/*.test.ts'] },
      },
    ],
  },
});
