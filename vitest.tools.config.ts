/** `npm run test:tools`: the tests of infrastructure, scripts and the explorer of developers, whose pages take a browser minutes. */

import { runOf } from './vitest.config.ts';

export default runOf({
  overTheWire: ['test/tools/{smoke-test,explorer}.test.ts', 'test/tools/infra/deploy/sql-server.test.ts'],
  others: ['test/tools/**/*.test.ts'],
  inProcessesOfTheirOwn: ['test/tools/infra/deploy/parts.test.ts'],
});
