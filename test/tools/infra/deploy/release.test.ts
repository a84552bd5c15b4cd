import { afterEach, describe, expect, test } from 'vitest';
import { playTools, runDeploy } from '../../../support/deploy-run.ts';
import {
  type DeploymentEndpoint,
  deploymentId,
  type EndpointScript,
  startDeploymentEndpoint,
  stateOf,
} from '../../../support/deployment-endpoint.ts';
import { zipOf } from '../../../support/zip-of.ts';
import { besidesOutputs, made, namesEndpoint, packageFile, quick, toolsOf } from './fixtures.ts';

const environment = 'pushtest';
const published = 'POST /api/publish?RemoteBuild=false';
let endpoint: DeploymentEndpoint | undefined;
afterEach(() => endpoint?.close());

const shortPackage = zipOf('host.json').length;
const longPackage = zipOf('host.json', 'dist').length;

/** Starts an endpoint and gives the tools and words of a push to it. */
async function setUp(script: EndpointScript = {}, outputs: Readonly<Record<string, unknown>> = {}) {
  endpoint = await startDeploymentEndpoint(script);
  const { url } = endpoint;
  const tools = playTools(toolsOf({ ...made, FUNCTION_APP_URL: url, ...outputs }, namesEndpoint(url)));
  const push = (...more: string[]) =>
    runDeploy(
      ['push', '-e', environment, '--package', packageFile(), '--max-attempts', '3', ...quick, ...more],
      tools,
    );
  return { tools, push, calls: endpoint.calls, tokens: endpoint.tokens };
}

describe('the steps push and rollback', () => {
  test('publish the package with the token of the deployer, wait for its end, and ask the app how it is', async () => {
    const { push, calls, tokens, tools } = await setUp({ state: (count) => stateOf(count === 0 ? 2 : 4) });
    const { code, stdout } = await push();
    expect({ code, calls }).toEqual({
      code: 0,
      calls: [
        `${published} ${shortPackage}`,
        `GET /api/deployments/${deploymentId}`,
        `GET /api/deployments/${deploymentId}`,
        'GET /api/health',
      ],
    });
    expect([...tokens]).toEqual(['Bearer the-token']);
    expect(stdout).toContain('/api/health answers 200.');
    expect(besidesOutputs(tools.calls())).toEqual([
      "az resource show --resource-group rg-dev --name func-dev --resource-type Microsoft.Web/sites --query properties.hostNameSslStates[?hostType=='Repository'].name | [0] --output tsv",
      'az account get-access-token --query accessToken --output tsv',
    ]);
  });

  test('push again while the new role of the app has not spread, and can be taken back', async () => {
    const { push, tools, calls } = await setUp({
      state: (count) => stateOf(count < 2 ? 3 : 4, 'Deployment failed.'),
      log: ['BlobUploadFailedException: 403 Forbidden'],
    });
    const first = await push();
    expect({ code: first.code, tries: first.stdout.match(/push: not yet/g)?.length }).toEqual({
      code: 0,
      tries: 2,
    });
    expect(calls.filter((call) => call.startsWith(published))).toHaveLength(3);

    await push('--package', packageFile('dist'));
    const back = await runDeploy(['rollback', '-e', environment, ...quick], tools);
    expect(back.code).toBe(0);
    expect(calls.filter((call) => call.startsWith(published)).slice(3)).toEqual([
      `${published} ${longPackage}`,
      `${published} ${shortPackage}`,
    ]);
    const again = await runDeploy(['rollback', '-e', environment, ...quick], tools);
    expect(again.stderr).toContain('There is no earlier package');
  });

  test('push one package to both apps where the calendar has its own, and take it back from both', async () => {
    const { push, tools } = await setUp({}, { CALENDAR_APP_NAME: 'func-dev-c' });
    expect((await push()).code).toBe(0);
    await push();
    expect((await runDeploy(['rollback', '-e', environment, ...quick], tools)).code).toBe(0);
    const green = ['--color', 'green'];
    for (let release = 0; release < 2; release += 1) expect((await push(...green)).code).toBe(0);
    expect((await runDeploy(['rollback', '-e', environment, ...green, ...quick], tools)).code).toBe(0);
    const names = tools.calls().flatMap((call) => /resource show .* --name (\S+)/.exec(call)?.[1] ?? []);
    const both = ['func-dev', 'func-dev-c'];
    expect(names).toEqual([...both, ...both, ...both, ...Array(3).fill('func-dev-g')]);
  });

  test('say which app keeps the package before when the push to the other has failed, and the command that repairs it', async () => {
    const { push, tools } = await setUp(
      { publish: (count) => (count === 3 ? 500 : { status: 202, body: JSON.stringify(deploymentId) }) },
      { CALENDAR_APP_NAME: 'func-dev-c' },
    );
    expect((await push()).code).toBe(0);
    const { code, stdout } = await push('--package', packageFile('dist'));
    expect(code).toBe(1);
    expect(stdout).toContain('func-dev has the new package; func-dev-c keeps the one before.');
    const [, forward = ''] =
      /^Forward, with the new one for all: npm run deploy -- (.*)$/m.exec(stdout) ?? [];
    const [, back = ''] = /^Back, with the one before for all: npm run deploy -- (.*)$/m.exec(stdout) ?? [];
    for (const command of [forward, back])
      expect((await runDeploy([...command.split(' '), ...quick], tools)).code).toBe(0);
    expect(forward).not.toBe(back);
  });
});

describe('the step push', () => {
  test.each<[how: string, answer: NonNullable<EndpointScript['publish']>, tries: number]>([
    ['goes on after a 503 of an app that starts', (count) => (count === 0 ? 503 : done), 2],
    ['waits while another push is at work', (count) => (count < 5 ? 409 : done), 6],
    ['waits while the role of the app has not spread', (count) => (count === 0 ? 403 : done), 2],
  ])('%s', async (_, publish, maxAttempts) => {
    const { push, calls } = await setUp({ publish });
    expect((await push()).code).toBe(0);
    expect(calls.filter((call) => call.startsWith('POST'))).toHaveLength(maxAttempts);
  });
  const done = { status: 200, body: '' };

  test.each<[what: string, script: EndpointScript, said: RegExp]>([
    [
      'a 500',
      { publish: () => ({ status: 500, body: 'boom' }) },
      /push to func-dev failed: status 500: boom/,
    ],
    ['a refused token', { publish: () => 401 }, /status 401: .*Website Contributor/],
    [
      'a package that cannot be used',
      { state: () => stateOf(3, 'Package is invalid.'), log: ['[ExtractZip] starting.', 'End of file.'] },
      /failed: Package is invalid\. \| \[ExtractZip\] starting\. \| End of file\./,
    ],
    ['an app without functions', { health: () => 404 }, /func-dev does not work .*0 functions loaded/],
  ])('ends with %s, and says so', async (_, script, said) => {
    const { push } = await setUp(script);
    const { code, stderr } = await push();
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(said) });
  });

  test('ends at once with the 403 of a firewall, which no role changes', async () => {
    const page = '<html><head><style>h1{}</style></head><body><h1>403 - Forbidden</h1></body></html>';
    const { push, calls } = await setUp({
      publish: () => ({ status: 403, reason: 'Ip Forbidden', body: page }),
    });
    const { code, stderr } = await push();
    expect({ code, tries: calls.length }).toEqual({ code: 1, tries: 1 });
    expect(stderr).toContain('status 403 (Ip Forbidden): 403 - Forbidden');
    expect(stderr).toContain('A firewall refuses this machine');
  });

  const restarted = '[KuduSpecializer] Kudu has been restarted after package deployed';
  test.each<[what: string, script: EndpointScript, said: string]>([
    [
      'a push that was partly successful',
      { state: () => stateOf(6, 'Partial.'), log: [restarted] },
      restarted,
    ],
    ['a push whose state the platform has lost', { state: () => 404 }, 'lost the state'],
  ])('lets the app say how %s has ended', async (_, script, said) => {
    const well = await (await setUp(script)).push();
    expect(well).toEqual({ code: 0, stdout: expect.stringContaining(said), stderr: '' });
    endpoint?.close();
    const { code, stderr } = await (await setUp({ ...script, health: () => 404 })).push();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('does not work after the push'),
    });
  });

  test('goes on while the endpoint restarts', async () => {
    const { push } = await setUp({
      state: (count) => [stateOf(2), 502, 404, stateOf(2)][count] ?? stateOf(4),
    });
    expect((await push()).code).toBe(0);
  });

  test.each<[what: string, script: EndpointScript]>([
    ['does not answer', { publish: () => undefined }],
    ['never ends', { state: () => stateOf(2) }],
  ])('stops at its time limit when the endpoint %s, and says how the app is', async (_, script) => {
    const { push } = await setUp(script);
    const { code, stdout, stderr } = await push('--time-limit', '0.005', '--wait', '1');
    expect({ code, said: stdout.includes('/api/health answers 200.') }).toEqual({ code: 1, said: true });
    expect(stderr).toContain('The push to func-dev did not end within 0.005 minutes and was stopped');
  });
});
