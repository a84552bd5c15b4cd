import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { playTools, runDeploy } from '../../../support/deploy-run.ts';
import { az, made } from './fixtures.ts';

describe('the step smoke', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  type StatusOf = (request: IncomingMessage, calls: number) => number;

  /** An app that answers with the given status; 401 carries its header. */
  async function startApp(statusOf: StatusOf): Promise<string> {
    let calls = 0;
    server = createServer((request, response) => {
      calls += 1;
      const status = statusOf(request, calls);
      response.writeHead(status, status === 401 ? { 'www-authenticate': 'Bearer' } : {}).end('{}');
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const healthy: StatusOf = ({ url, headers }) =>
    url?.startsWith('/api/v8.0/') && headers.authorization !== 'Bearer the-token' ? 401 : 200;

  async function smoke(statusOf: StatusOf) {
    const FUNCTION_APP_URL = await startApp(statusOf);
    const tools = playTools({ az: az({ ...made, FUNCTION_APP_URL }) });
    return runDeploy(['smoke', '-e', 'dev', '--wait', '0', '--max-attempts', '3'], tools);
  }

  test('asks for the calendar where the deployment has it', async () => {
    const asked: string[] = [];
    await smoke((request, calls) => {
      asked.push(request.url ?? '');
      return healthy(request, calls);
    });
    expect(asked.at(-1)).toBe('/api/events/v1/events');
  });

  test('goes through the gateway too, but not for the green app', async () => {
    const tools = playTools({
      az: az({ ...made, FUNCTION_APP_URL: 'u', GREEN_FUNCTION_APP_URL: 'g', GATEWAY_NAME: 'apim-dev' }),
    });
    const DEPLOYMENT_OUTPUTS = (await runDeploy(['outputs', '-e', 'dev'], tools)).stdout.split('\n')[1] ?? '';
    const called = async (color: string) => {
      const { stdout } = await runDeploy(['smoke', '-e', 'dev', '--color', color, '--dry-run'], tools, {
        DEPLOYMENT_OUTPUTS,
      });
      return [...stdout.matchAll(/^# calls (.*)$/gm)].map(([, called]) => called);
    };
    expect(await called('blue')).toEqual(['u/api', 'https://apim-dev.azure-api.net/api']);
    expect(await called('green')).toEqual(['g/api']);
  });

  test('asks each app for what it serves, and the gateway for everything', async () => {
    const tools = playTools({
      az: az({
        ...made,
        FUNCTION_APP_URL: 'u',
        CALENDAR_APP_NAME: 'c',
        CALENDAR_APP_URL: 'c',
        GATEWAY_NAME: 'g',
      }),
    });
    const DEPLOYMENT_OUTPUTS = (await runDeploy(['outputs', '-e', 'dev'], tools)).stdout.split('\n')[1] ?? '';
    const dry = await runDeploy(['smoke', '-e', 'dev', '--dry-run'], tools, { DEPLOYMENT_OUTPUTS });
    expect([...dry.stdout.matchAll(/^# calls (.*)$/gm)].map(([, called]) => called)).toEqual([
      'u/api',
      'c/api',
      'https://g.azure-api.net/api',
    ]);

    const asked: string[] = [];
    const url = await startApp((request, calls) => {
      asked.push(`${request.method} ${request.url}`);
      return healthy(request, calls);
    });
    const apps = playTools({
      az: az({ ...made, FUNCTION_APP_URL: url, CALENDAR_APP_NAME: 'c', CALENDAR_APP_URL: url }),
    });
    await runDeploy(['smoke', '-e', 'dev', '--wait', '0', '--max-attempts', '1'], apps);
    expect(asked).toEqual([
      ...['GET /api/health', 'GET /api/v8.0/authorized', 'GET /api/v8.0/authorized'],
      ...['GET /api/v8.0/reference-data/custom', 'GET /api/health', 'GET /api/events/v1/events'],
      'OPTIONS /api/events/v1/events',
    ]);
  });

  test('fails when a token is refused, and never shows it', async () => {
    const { code, stdout, stderr } = await smoke(({ url }) => (url?.startsWith('/api/v8.0/') ? 401 : 200));
    expect(code).toBe(1);
    expect(stderr).toContain('a token is accepted: 401 instead of 200');
    expect(stdout + stderr).not.toContain('the-token');
  });
});
