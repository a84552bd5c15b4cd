import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressFolder } from '../../../../local/identity/address-file.ts';

test.each([
  [undefined, '.local'],
  ['', '.local'],
  ['memory', join('.local', 'memory')],
  ['/state', '/state'],
])('the address of an issuer that was started with LOCAL_STATE=%s is kept in %s', (localState, folder) => {
  expect(addressFolder(localState)).toBe(folder);
});
