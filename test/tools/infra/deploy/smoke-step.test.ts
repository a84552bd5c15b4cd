import { describe, expect, onTestFinished, test } from 'vitest';
import { playTools, runDeploy } from '../../../support/deploy-run.ts';
import { type EndpointScript, startDeploymentEndpoint } from '../../../support/deployment-endpoint.ts';
import { given, made, toolsOf } from './fixtures.ts';

describe('the step smoke', () => {
  const calendar = (url: string) => ({ CALENDAR_APP_NAME: 'c', CALENDAR_APP_URL: url });
  const own = { CUSTOM_DOMAIN: 'events.example.org' };
  const gateway = 'https://apim.azure-api.net/api';

  test.each([
    ['the app and the gateway', 'blue', {}, ['u/api', gateway]],
    ['the green app, to which the gateway does not lead', 'green', {}, ['g/api']],
    ['each app and the gateway', 'blue', calendar('c'), ['u/api', 'c/api', gateway]],
    ["a name of one's own", 'blue', own, ['u/api', 'https://events.example.org/api', gateway]],
    ['such a name, which does not lead to the green app', 'green', own, ['g/api']],
  ])('calls %s', async (_, color, more, called) => {
    const urls = { FUNCTION_APP_URL: 'u', GREEN_FUNCTION_APP_URL: 'g', GATEWAY_NAME: 'apim' };
    const words = `smoke -e dev --color ${color} --dry-run`;
    const { stdout } = await runDeploy(words, playTools({}), given({ ...made, ...urls, ...more }));
    expect([...stdout.matchAll(/^# calls (.*)$/gm)].map(([, url]) => url)).toEqual(called);
  });

  async function smoke(script: EndpointScript, more: (url: string) => object) {
    const { url, calls, close } = await startDeploymentEndpoint(script);
    onTestFinished(close);
    const tools = playTools(toolsOf({ ...made, FUNCTION_APP_URL: url, ...more(url) }));
    return { calls, ...(await runDeploy('smoke -e dev --wait 0 --max-attempts 1', tools)) };
  }

  test('asks each app for what it serves', async () => {
    const { code, calls } = await smoke({}, calendar);
    expect({ code, calls }).toEqual({
      code: 0,
      calls: [
        'GET /api/health',
        'GET /api/v8.0/authorized',
        'GET /api/v8.0/authorized',
        'GET /api/v8.0/reference-data/custom',
        'GET /api/health',
        'GET /api/events/v1/events',
        'OPTIONS /api/events/v1/events',
      ],
    });
  });

  test('fails when a token is refused, never shows it, and asks one app for all that it serves', async () => {
    const { code, calls, stdout, stderr } = await smoke({ token: 'another' }, () => ({}));
    expect({ code, last: calls.at(-1) }).toEqual({ code: 1, last: 'GET /api/events/v1/events' });
    expect(stderr).toContain('a token is accepted: 401 instead of 200');
    expect(stdout + stderr).not.toContain('the-token');
  });
});
