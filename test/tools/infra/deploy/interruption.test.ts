import { appendFileSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { defaultStack } from '../../../../infra/deploy/environments.ts';
import { forgetRuns, startDeploy as start } from '../../../support/deploy-process.ts';
import { playTools, runDeploy } from '../../../support/deploy-run.ts';
import { deploymentId, startDeploymentEndpoint, stateOf } from '../../../support/deployment-endpoint.ts';
import { answers, hangs, shellTools } from '../../../support/fake-tools.ts';
import { newFolder } from '../../../support/temporary-folder.ts';
import {
  creates,
  creation,
  given,
  groupOfDev,
  made,
  namesEndpointInShell,
  packageFile,
  quick,
  toolsInShell,
  toolsOf,
  values,
} from './fixtures.ts';

const environment = `k${process.pid % 100_000}`;
const create = creates[defaultStack];

afterEach(() => forgetRuns(environment));

const words = (step: string, ...more: string[]) => [step, '-e', environment, ...values, ...quick, ...more];
const file = packageFile();

/** Kills a run once it has called a tool. */
async function killed(run: ReturnType<typeof start>, what: string): Promise<void> {
  await run.begun(what);
  run.child.kill('SIGKILL');
  expect(await run.ended).toBe('SIGKILL');
}

describe('a run that is killed', () => {
  test.each([
    ['entra', create],
    ['provision', create],
    ['teardown', 'group delete'],
  ])('in the step %s can be run again', async (step, what) => {
    const there = [
      answers('group list', JSON.stringify([{ ...groupOfDev, environment }])),
      answers('account show', 'Team'),
    ];
    const tools = shellTools(toolsInShell(made, ...there, hangs(what)));
    await killed(start(words(step), tools), what);
    const again = start(words(step), tools);
    expect(await again.ended).toBe(0);
    expect(again.said()).toContain(`was interrupted in the step ${step}`);
    expect(tools.calls().filter((call) => call.includes(what))).toHaveLength(2);
  });

  test.each([
    ['the package is sent', { publish: (count: number) => (count === 0 ? undefined : done) }],
    ['the platform works on it', { state: (count: number) => (count === 0 ? undefined : stateOf(4)) }],
  ])('in the step push while %s can be run again', async (_, script) => {
    const endpoint = await startDeploymentEndpoint(script);
    const tools = shellTools(toolsInShell(made, namesEndpointInShell(endpoint.url)));
    const push = words('push', '--package', file);
    const run = start(push, tools);
    await endpoint.silent();
    await killed(run, 'resource show');
    const again = start(push, tools);
    expect(await again.ended).toBe(0);
    expect(again.said()).toContain('was interrupted in the step push');
    expect(endpoint.calls.at(-1)).toBe(`GET /api/deployments/${deploymentId}`);
    endpoint.close();
  });
  const done = { status: 202, body: JSON.stringify(deploymentId) };
});

test('the second run says that there is a first one', async () => {
  const tools = shellTools(toolsInShell(made, hangs('resource show')));
  const first = start(words('push', '--package', file), tools);
  await first.begun('resource show');
  const second = start(words('provision'), tools);
  expect(await second.ended).toBe(2);
  expect(second.said()).toMatch(/Another run is at work on this environment since .*step push, process \d+/);
  first.child.kill('SIGKILL');
  await first.ended;
});

test('of runs that find a killed one at the same time one goes on', async () => {
  const killing = shellTools(toolsInShell(made, hangs(create)));
  await killed(start(words('provision'), killing), create);
  const runs = Array.from({ length: 4 }, () => {
    const tools = shellTools(toolsInShell(made, hangs(create)));
    return { tools, run: start(words('provision'), tools) };
  });
  const ended = await new Promise<readonly (number | string | null)[]>((resolve) => {
    const codes: (number | string | null)[] = [];
    for (const { run } of runs)
      run.ended.then((code) => {
        codes.push(code);
        if (codes.length === runs.length - 1) resolve([...codes]);
      });
  });
  expect(ended).toEqual([2, 2, 2]);
  const [left] = runs.filter(({ run }) => run.child.exitCode === null);
  await left?.run.begun(create);
  left?.run.child.kill('SIGKILL');
  expect(await left?.run.ended).toBe('SIGKILL');
});

test('a tool that does not end is ended, and the app is asked how it is', async () => {
  const tools = shellTools(toolsInShell(made, hangs('resource show')));
  const run = start(words('push', '--package', file, '--time-limit', '0.05'), tools);
  expect(await run.ended).toBe(1);
  expect(run.said()).toContain('az did not end within 0.05 minutes and was stopped');
  expect(run.said()).toContain('After the push:');
});

/** A shell's lines: the first deployment fails. */
const failsOnce = `if (call.startsWith('account show')) console.log('Team');
  if (call.includes('runtimes')) console.log('24');
  // Each run has a name of its own.
  const create = ${creation};
  if (create.test(call) && !earlier.some((one) => create.test(one))) process.exit(1);`;

test('the step all continues with --resume where it has failed', async () => {
  const tools = playTools({ ...toolsOf(made, failsOnce), npm: '' });
  const all = ['all', '-e', 'dev', ...values, ...quick];
  expect(await runDeploy(all, tools)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/(?:az|terraform) failed with exit code 1/),
  });
  const { stdout } = await runDeploy([...all, '--resume'], tools);
  expect(stdout).toContain('failed in the step provision');
  expect(stdout).toContain('== entra: done before');
  expect(stdout).toMatch(/== provision: (?!done)/);
});

test('--resume does every step again when what is deployed has changed', async () => {
  const tools = playTools({ ...toolsOf(made, failsOnce), npm: '' });
  const changed = join(newFolder(), 'app.zip');
  copyFileSync(file, changed);
  const all = ['all', '-e', 'dev', ...values, ...quick, '--package', changed];
  expect(await runDeploy(all, tools)).toMatchObject({ code: 1 });
  appendFileSync(changed, 'x');
  const { stdout } = await runDeploy([...all, '--resume'], tools);
  expect(stdout).toContain('have changed since then: every step is run again');
  expect(stdout).toMatch(/== entra: (?!done)/);
});

test.each([
  ['of another environment', { AZURE_ENV_NAME: 'prod' }, 'is of the environment prod, not of dev'],
  ['that name no environment', { AZURE_ENV_NAME: '' }, 'does not name its environment'],
])('outputs %s are refused', async (_, more, said) => {
  const tools = playTools({ az: '' });
  const { code, stderr } = await runDeploy('smoke -e dev', tools, given({ ...made, ...more }));
  expect({ code, calls: tools.calls() }).toEqual({ code: 1, calls: [] });
  expect(stderr).toContain(`DEPLOYMENT_OUTPUTS ${said}`);
});

test('what needs a person ends at once, with a hint', async () => {
  const denied = `if (${creation}.test(call)) { console.error("RequestDisallowedByPolicy: Resource 'st' was disallowed by policy 'no-public'. 403"); process.exit(1); }`;
  const tools = playTools(toolsOf(made, denied));
  const { code, stderr } = await runDeploy(['provision', '-e', 'dev', ...values, ...quick], tools);
  expect(code).toBe(1);
  expect(stderr).toContain('A policy of your organisation forbids this');
  expect(tools.calls().filter((call) => creation.test(call))).toHaveLength(1);
});
