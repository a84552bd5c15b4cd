/** `npm run test:tools`: the tests of emulators, infrastructure and scripts. */

import { runOf } from './vitest.config.ts';

export default runOf({
  overTheWire: ['test/tools/smoke-test.test.ts', 'test/tools/local-sql-server/deployment.test.ts'],
  others: ['test/tools/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
  inProcessesOfTheirOwn: [
    'test/tools/infra/deploy/parts.test.ts',
    'test/tools/local-sql-server/managed-identity.test.ts',
  ],
});
