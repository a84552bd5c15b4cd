/** The smoke test of a deployment against a service that answers what the test wants. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { smokeTest } from '../../../../infra/deploy/smoke.ts';

type Answers = Readonly<Record<string, readonly number[]>>;

/** What a service that is well answers to each call, in the order of the calls; `401` brings a challenge. */
const well: Answers = {
  'GET /health': [200],
  'GET /v8.0/authorized': [401],
  'GET /v8.0/authorized as the-token': [200],
  'GET /v8.0/reference-data/custom as the-token': [200],
  'GET /calendar/events': [200],
};

/** Runs the smoke test against a service. The last answer to a call is repeated; 0 cuts the connection. */
async function run(answers: Answers, { maxAttempts = 3, challenge = true, missing = '' } = {}) {
  const remaining = new Map(Object.entries({ ...well, ...answers }).map(([call, list]) => [call, [...list]]));
  const calls: string[] = [];
  const server = createServer(({ method, url, headers: { authorization } }, response) => {
    const call = `${method} ${url}${authorization === undefined ? '' : authorization.replace('Bearer', ' as')}`;
    calls.push(call);
    const list = remaining.get(call) ?? [];
    const status = (list.length > 1 ? list.shift() : list[0]) ?? 404;
    if (status === 0) return void response.destroy();
    response.writeHead(status, status === 401 && challenge ? { 'WWW-Authenticate': 'Bearer' } : {});
    response.end(status >= 500 ? 'It is broken.' : status === 404 ? missing : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const said: string[] = [];
  const outcome = await smokeTest({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calendarPath: 'calendar',
    token: 'the-token',
    maxAttempts,
    wait: 0,
    say: (line) => said.push(line),
  }).then(
    () => 'passed',
    (error: Error) => error.message.replace(/^The smoke test of \S+ failed: /, ''),
  );
  return { outcome, calls, said, marks: said.filter((line) => /^[✓✗]/.test(line)).map(([mark]) => mark) };
}

describe('the smoke test', () => {
  test('makes five calls of a service that is well', async () => {
    const { outcome, calls, said } = await run({});
    expect(outcome).toBe('passed');
    expect(calls).toEqual(Object.keys(well));
    expect(said.map((line) => line.replace(/\d+ ms/, 'N ms'))).toEqual([
      '✓ the app is up (N ms)',
      '✓ a call without a token is refused (N ms)',
      '✓ a token is accepted (N ms)',
      '✓ the databases answer (N ms)',
      '✓ the calendar answers (N ms)',
    ]);
  });

  test('fails when the refusal brings no challenge', async () => {
    expect((await run({}, { challenge: false })).outcome).toBe(
      'a call without a token is refused: no header www-authenticate.',
    );
  });

  test.each([
    ['GET /health', [503], 'the app is up: 503 instead of 200: It is broken.'],
    ['GET /v8.0/authorized', [200], 'a call without a token is refused: 200 instead of 401'],
    ['GET /v8.0/authorized as the-token', [401], 'a token is accepted: 401 instead of 200'],
    [
      'GET /v8.0/reference-data/custom as the-token',
      [500],
      'the databases answer: 500 instead of 200: It is broken.',
    ],
    ['GET /calendar/events', [404], 'the calendar answers: 404 instead of 200'],
  ])('fails when %s answers %j, after the other calls', async (call, answers, outcome) => {
    const found = await run({ [call]: answers }, { maxAttempts: 1 });
    expect(found.outcome).toBe(`${outcome}.`);
    expect(found.marks).toEqual(Object.keys(well).map((item) => (item === call ? '✗' : '✓')));
  });

  test.each([404, 503, 0])('calls a service again that answers %i while it starts', async (status) => {
    const { outcome, calls } = await run({ 'GET /health': [status, status, 200] });
    expect(outcome).toBe('passed');
    expect(calls.filter((call) => call === 'GET /health')).toHaveLength(3);
  });
});
