/** `npm run test:engines`: the local SQL server against Microsoft's parser and clients, where .NET is installed. */

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/engines/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
