import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build-once.ts'],
    testTimeout: 30_000 * Number(process.env['PROPERTY_RUNS'] ?? 1),
    // A busy machine is no failure: whatever is waited for has this long.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
