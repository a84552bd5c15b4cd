/** Custom data, reference data and authorized on the adopted databases of a product that has the sample data, with the rights of a deployed app. */

import { describe, vi } from 'vitest';

vi.stubEnv('TEST_DATABASES', 'adopted');

for (const suite of ['authorized', 'custom-data-sources', 'custom-sources'])
  await describe(suite, async () => {
    await import(`./records-${suite}.test.ts`);
  });
