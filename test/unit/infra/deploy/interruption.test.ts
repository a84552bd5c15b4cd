import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Execution, TimeLimit } from '../../../../infra/deploy/context.ts';
import { executeTool } from '../../../../infra/deploy/tools.ts';
import { playTools, runDeploy } from '../../../support/deploy-run.ts';
import { type FakeTools, fakeTools } from '../../../support/fake-tools.ts';
import { az, made, quick, values } from './fixtures.ts';

const root = join(import.meta.dirname, '../../../..');
const script = join(root, 'infra/deploy/main.ts');
const environment = `k${process.pid % 100_000}`;

afterEach(() => {
  const folder = join(root, '.deployments');
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (name.startsWith(environment)) rmSync(join(folder, name), { recursive: true });
});

/** Starts a run as a process of its own; `begun` resolves when a tool was called with something. */
function start(words: readonly string[], tools: FakeTools, more: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [script, ...words], {
    env: { ...process.env, ...more, PATH: `${tools.folder}${delimiter}${process.env['PATH']}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const ended = new Promise<number | string | null>((resolve) =>
    child.on('close', (code, signal) => resolve(signal ?? code)),
  );
  const begun = async (what: string) => {
    while (!tools.calls().some((call) => call.includes(what)))
      await new Promise((resolve) => setTimeout(resolve, 20));
  };
  return { child, ended, begun, said: () => said };
}

/** Hangs until it is ended, once. */
const hangs = (what: string) => `if (call.includes('${what}') && before === 0) setInterval(() => {}, 1000);`;
const words = (step: string, ...more: string[]) => [step, '-e', environment, ...values, ...quick, ...more];
/** Outputs by which the steps of the databases find a server; nothing listens there. */
const databases = {
  DB_SERVER: '127.0.0.1',
  DB_NAME: 'records',
  DB_CUSTOMIZATION_NAME: 'customization',
  SQL_SERVER_NAME: 'sql-dev',
  SERVICE_API_USERNAME: 'service',
  RUNTIME_IDENTITY_NAME: 'id-dev',
  RUNTIME_IDENTITY_CLIENT_ID: '12345678-9abc-def0-1122-334455667788',
};
const file = join(mkdtempSync(join(tmpdir(), 'package-')), 'app.zip');
writeFileSync(file, 'zip');

describe('a run that is killed', () => {
  test.each([
    ['preflight', 'list-flexconsumption-runtimes', []],
    ['entra', 'deployment sub create', []],
    ['provision', 'deployment sub create', []],
    ['push', 'config-zip', ['--package', file]],
    ['teardown', 'group delete', []],
  ])('in the step %s can be run again', async (step, what, more) => {
    const there = `if (call.startsWith('group exists')) console.log('true'); if (call.startsWith('account show')) console.log('Team');`;
    const tools = fakeTools({ az: `${az(made, there)}\n${hangs(what)}` });
    const run = start(words(step, ...more), tools);
    await run.begun(what);
    run.child.kill('SIGKILL');
    expect(await run.ended).toBe('SIGKILL');
    const again = start(words(step, ...more), tools);
    expect(await again.ended).toBe(0);
    if (step !== 'preflight') expect(again.said()).toContain(`was interrupted in the step ${step}`);
    expect(tools.calls().filter((call) => call.includes(what))).toHaveLength(2);
  });

  // No database answers here, so the second run only begins as it should.
  test.each([
    ['migrate', 'get-access-token', 1],
    ['accounts', 'get-access-token', 1],
    ['users', 'get-access-token', 1],
    ['package', 'run package', 0],
    ['smoke', 'get-access-token', 1],
  ])('in the step %s, which has a tool at work, can be run again', async (step, what, code) => {
    const outputs = { ...made, ...databases, FUNCTION_APP_URL: 'http://127.0.0.1:9' };
    const tools = fakeTools({ az: `${hangs(what)}\n${az(outputs)}`, npm: hangs(what) });
    const more = ['--max-attempts', '1'];
    const run = start(words(step, ...more), tools);
    await run.begun(what);
    run.child.kill('SIGKILL');
    expect(await run.ended).toBe('SIGKILL');
    const again = start(words(step, ...more), tools);
    expect(await again.ended).toBe(code);
    if (step !== 'smoke') expect(again.said()).toContain(`was interrupted in the step ${step}`);
    expect(tools.calls().filter((call) => call.includes(what)).length).toBeGreaterThan(1);
  });

  test('while a firewall rule is open leaves it to the next run, which removes it first', async () => {
    const rule = `deploy-${environment}-20990101T000000Z`;
    const list = `if (call.includes('firewall-rule list') && before > 0) console.log('${rule}');`;
    const tools = fakeTools({
      az: `${hangs('firewall-rule list')}\n${az({ ...made, ...databases }, list)}`,
    });
    const more = ['--max-attempts', '1'];
    const run = start(words('users', ...more), tools);
    await run.begun('firewall-rule list');
    run.child.kill('SIGKILL');
    await run.ended;
    // As it is noted before the rule is made.
    const record = join(root, '.deployments', `${environment}.run.json`);
    writeFileSync(record, JSON.stringify({ ...JSON.parse(readFileSync(record, 'utf8')), rules: [rule] }));
    const again = start(words('users', ...more), tools);
    expect(await again.ended).toBe(1);
    expect(again.said()).toContain('was interrupted in the step users');
    const sql = tools.calls().filter((call) => call.includes('firewall-rule'));
    expect(sql.at(-1)).toBe(
      `az sql server firewall-rule delete --resource-group rg-dev --server sql-dev --name ${rule}`,
    );
    expect((JSON.parse(readFileSync(record, 'utf8')) as { rules: unknown }).rules).toEqual([]);
  });

  test('by a signal ends its tool, and says so', async () => {
    const tools = fakeTools({ az: `${az(made)}\n${hangs('config-zip')}` });
    const run = start(words('push', '--package', file), tools);
    await run.begun('config-zip');
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(143);
    expect(run.said()).toContain('SIGTERM: ending what is at work');
  });
});

test('the second run says that there is a first one', async () => {
  const tools = fakeTools({ az: `${az(made)}\n${hangs('config-zip')}` });
  const first = start(words('push', '--package', file), tools);
  await first.begun('config-zip');
  const second = start(words('provision'), tools);
  expect(await second.ended).toBe(2);
  expect(second.said()).toMatch(/Another run is at work on this environment since .*step push, process \d+/);
  first.child.kill('SIGKILL');
  await first.ended;
});

test('a tool that does not end is ended, and the app is asked how it is', async () => {
  const tools = fakeTools({ az: `${az(made)}\n${hangs('config-zip')}` });
  const run = start(words('push', '--package', file, '--time-limit', '0.05'), tools);
  expect(await run.ended).toBe(1);
  expect(run.said()).toContain('az did not end within 0.05 minutes and was stopped');
  expect(run.said()).toContain('After the push:');
});

test('a tool that is not there is named', async () => {
  const tools = fakeTools({});
  const run = start(['smoke', '-e', environment], tools, {});
  const how: Execution = { environment: {}, show: false, minutes: 1, signal: undefined };
  await expect(executeTool('azd-that-is-not-there', [], how)).rejects.toThrow('it is not on the PATH');
  run.child.kill('SIGKILL');
  await run.ended;
  expect(new TimeLimit('az', 3).message).toContain('within 3 minutes');
});

describe('all, after an interruption,', () => {
  const failing = (
    step: string,
  ) => `if (call.startsWith('${step}') && !fs.existsSync(__dirname + '/failed')) {
    fs.writeFileSync(__dirname + '/failed', ''); process.exit(1); }`;
  const region = `if (call.startsWith('account show')) console.log('Team'); else if (call.includes('runtimes')) console.log('24');`;

  test('goes on with --resume where it ended', async () => {
    const tools = playTools({
      az: az(made, `${region} ${failing('deployment sub create --name records-dev')}`),
      npm: '',
    });
    const all = ['all', '-e', 'dev', ...values, '--wait', '0', '--yes'];
    expect((await runDeploy(all, tools)).code).toBe(1);
    const { stdout } = await runDeploy([...all, '--resume'], tools);
    expect(stdout).toContain('was interrupted in the step provision');
    expect(stdout).toContain('== entra: done before the interruption');
    expect(stdout).toMatch(/== provision: (?!done)/);
  });
});

test('a hook inside of a run leaves its steps to that run', async () => {
  const tools = playTools({ az: az(made) });
  const { code, stdout } = await runDeploy(['finish', '-e', 'dev', '--stack', 'azd'], tools, {
    DEPLOYMENT_RUN: 'dev',
  });
  expect({ code, stdout, calls: tools.calls() }).toEqual({
    code: 0,
    stdout: 'Left to the run that this is a part of: finish.\n',
    calls: [],
  });
});

test('outputs of another environment are refused', async () => {
  const tools = playTools({ az: '' });
  const DEPLOYMENT_OUTPUTS = JSON.stringify({ ...made, AZURE_RESOURCE_GROUP: 'rg-dev-123' });
  const { code, stderr } = await runDeploy(['smoke', '-e', 'prod'], tools, { DEPLOYMENT_OUTPUTS });
  expect({ code, calls: tools.calls() }).toEqual({ code: 1, calls: [] });
  expect(stderr).toContain('DEPLOYMENT_OUTPUTS is of the environment dev (rg-dev-123), not of prod');
});

test('what needs a person ends at once, with a hint', async () => {
  const denied = `if (call.startsWith('deployment sub create')) { console.error("RequestDisallowedByPolicy: Resource 'st' was disallowed by policy 'no-public'. 403"); process.exit(1); }`;
  const tools = playTools({ az: az(made, denied) });
  const { code, stderr } = await runDeploy(['provision', '-e', 'dev', ...values, ...quick], tools);
  expect(code).toBe(1);
  expect(stderr).toContain('A policy of your organisation forbids this');
  expect(tools.calls().filter((call) => call.includes('sub create'))).toHaveLength(1);
});

test('Terraform with a file for a backend that it does not have is refused', async () => {
  const tools = playTools({ terraform: '', az: '' });
  const { code, stderr } = await runDeploy(
    [
      'provision',
      '-e',
      'dev',
      '--stack',
      'terraform',
      ...values,
      '--set',
      'apiClientId=x',
      '--backend-config',
      'state.hcl',
      ...quick,
    ],
    tools,
  );
  expect({ code, calls: tools.calls() }).toEqual({ code: 2, calls: [] });
  expect(stderr).toContain('Terraform would ignore --backend-config');
  expect(readFileSync(join(root, 'infra/terraform/versions.tf'), 'utf8')).not.toMatch(/backend "/);
});
