import { join } from 'node:path';
import { expect, test } from 'vitest';
import { issuerFolder } from '../../../../local/identity/issuer-file.ts';

test.each([
  [undefined, '.local'],
  ['', '.local'],
  ['memory', join('.local', 'memory')],
  ['/state', '/state'],
])('the address of an issuer that was started with LOCAL_STATE=%s is kept in %s', (localState, folder) => {
  expect(issuerFolder(localState)).toBe(folder);
});
