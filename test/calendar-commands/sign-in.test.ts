/** The sign-in of commands that copy between accounts. */

import { delimiter } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { signIn } from '../../scripts/calendar/sign-in.ts';
import { shellTools } from '../support/fake-tools.ts';

/** Lets this process find a fake Azure CLI whose tokens last for so many seconds. */
function withAzureCli(seconds: number) {
  const end = Math.floor(Date.now() / 1000) + seconds;
  const { folder, calls } = shellTools({
    az: `echo '{"accessToken": "the-token", "expires_on": ${end}, "tokenType": "Bearer"}'`,
  });
  const before = {
    PATH: process.env['PATH'],
    AZURE_TOKEN_CREDENTIALS: process.env['AZURE_TOKEN_CREDENTIALS'],
  };
  onTestFinished(() => {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });
  process.env['PATH'] = `${folder}${delimiter}${before.PATH}`;
  process.env['AZURE_TOKEN_CREDENTIALS'] = 'AzureCliCredential';
  return () => calls().filter((call) => call.includes('get-access-token'));
}

test('has the token before the first call, for as long as it lasts', async () => {
  const calls = withAzureCli(3600);
  const credential = await signIn();
  expect(calls()).toHaveLength(1);
  expect(calls()[0]).toContain('https://storage.azure.com');
  for (let call = 0; call < 3; call += 1)
    expect(await credential.getToken('https://storage.azure.com/.default')).toMatchObject({
      token: 'the-token',
    });
  expect(calls()).toHaveLength(1);
});

test('gets the next token before the last one ends', async () => {
  const calls = withAzureCli(60);
  const credential = await signIn();
  await credential.getToken('https://storage.azure.com/.default');
  expect(calls()).toHaveLength(2);
});
