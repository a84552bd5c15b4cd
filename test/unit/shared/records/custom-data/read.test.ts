import { expect, test } from 'vitest';
import { compose } from '../../../../../shared/records/custom-data/read.ts';

test('a stored value that is not JSON is an error that names its identifier, and quotes nothing of it', async () => {
  const read = async () =>
    compose([{ identifier: 'remarks', kind: 'JSON', customData: 'secret' }], new Map());
  const failure: unknown = await read().catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 'custom-data-not-json',
    message: 'Cannot read the custom data "remarks": what is stored is not JSON.',
  });
  expect(failure).not.toHaveProperty('cause');
});
