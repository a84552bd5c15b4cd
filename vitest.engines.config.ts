/** `npm run test:engines`: what real compilers, parsers and clients say, some of them where .NET and Terraform are. It takes minutes, so `npm test` leaves it out. */

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/engines/**/*.test.ts', 'test/engines/**/*.test.ts'],
    globalSetup: [
      'test/support/temporary-folder.ts',
      'test/support/shared-emulators.ts',
      'test/support/cached-document.ts',
    ],
    // Only what hangs reaches these limits: a busy machine is no failure.
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
  },
});
