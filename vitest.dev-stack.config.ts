/** `npm run test:dev-stack`: the tests of the dev stack, which needs nothing of the app. */

import { runOf } from './vitest.config.ts';

export default runOf({
  overTheWire: [],
  others: ['{packages/*,packages,local}/test/**/*.test.ts'],
  inProcessesOfTheirOwn: ['local/test/identity/managed-identity.test.ts'],
  build: false,
});
