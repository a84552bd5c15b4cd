/** What a run says at its end, and at the beginning of the next one. */

import { describe, expect, test } from 'vitest';
import { stackNames } from '../../../../infra/deploy/environments.ts';
import { done } from '../../../support/deploying-machines.ts';
import { begin } from './machines.ts';

describe.each(stackNames)('with %s', (stack) => {
  test('a run of all that fails says what is done and what goes on, and that does the rest alone', async () => {
    const { azure, machine } = await begin();
    const run = machine();
    azure.failures.push({ call: /npm run migrate/, words: 'Something is refused.' });
    const failed = await run(stack, 'all');
    expect(failed.code).toBe(1);
    expect(failed.said).toContain(
      'Done: preflight, entra, provision. Not done: migrate, and what comes after it.',
    );
    expect(failed.said).toMatch(/go on with: npm run deploy -- all --stack \w+ -e dev .* --resume$/);
    expect(failed.said).not.toContain('interrupted');
    const made = azure.deployments.length;
    const resumed = await run(stack, 'all', '--resume');
    expect(resumed).toMatchObject(done);
    expect(resumed.said).toMatch(
      /^The run of .* failed in the step migrate; every step can be run again\.$/m,
    );
    expect(resumed.said).toContain('== provision: done before');
    expect(azure.deployments.length).toBe(made);
  });

  test('one step that fails says how it is run again', async () => {
    const { azure, machine } = await begin();
    azure.failures.push({ call: /sub create|apply/, words: 'QuotaExceeded' });
    const { code, said } = await machine()(stack, 'provision', '--set', 'apiClientId=api');
    expect(code).toBe(1);
    expect(said).toContain('A quota of the subscription is used up');
    expect(said).toContain('Done: nothing. Not done: provision.');
    expect(said).toMatch(/go on with: npm run deploy -- provision --stack/);
  });

  test.each([
    ['(ServiceLocked) try again later', 2],
    ['(InternalServerError) 500', 2],
    ['StorageAccountOperationInProgress (409)', 2],
  ])('%s passes by itself', async (words, times) => {
    const { azure, machine } = await begin();
    for (let time = 0; time < times; time += 1)
      azure.failures.push({ call: /sub create --name records-dev-|infra\/terraform apply/, words });
    const run = await machine()(stack, 'provision', '--set', 'apiClientId=api', '--max-attempts', '8');
    expect(run).toMatchObject({ ...done, said: expect.stringContaining('not yet (try 2 of 3)') });
  });

  test('a moment in which Azure refuses ends no step, whichever call it is', async () => {
    const { azure, machine } = await begin();
    azure.firstAnswers = [
      '(TooManyRequests) The request is being throttled. Status 429',
      '(ServiceLocked) The server is transitioning, try again later',
      '(InternalServerError) 500',
      'Connection timed out',
      '(503) Service Unavailable',
      'Bad Gateway',
      '(Conflict) Another operation on this resource is in progress',
    ];
    const run = machine();
    for (const step of ['all', 'drift', 'preview', 'roles', 'teardown'])
      expect(await run(stack, step, '--max-attempts', '8')).toMatchObject(done);
    expect(azure.groups.size).toBe(0);
  });
});
