/** `npm run test:tools`: the tests of infrastructure and scripts. */

import { runOf } from './vitest.config.ts';

export default runOf({
  overTheWire: ['test/tools/smoke-test.test.ts', 'test/tools/infra/deploy/sql-server.test.ts'],
  others: ['test/tools/**/*.test.ts'],
  inProcessesOfTheirOwn: ['test/tools/infra/deploy/parts.test.ts'],
});
