/** The smoke test of a deployment, against the built app, so that it asks for what the app really answers. */

import { describe, expect, test } from 'vitest';
import { smokeTest } from '../../infra/deploy/smoke.ts';
import { useApp } from '../support/app.ts';

const app = useApp();

describe('the smoke test of a deployment', () => {
  const run = async (token: string) => {
    const said: string[] = [];
    const calendarPath = 'tribe/events/v1';
    const options = {
      baseUrl: app.base,
      calendarPath,
      token,
      maxAttempts: 1,
      wait: 0,
      say: (line: string) => said.push(line),
    };
    const outcome = await smokeTest(options).then(
      () => 'passed',
      (error: Error) => error.message,
    );
    return { outcome, marks: said.map((line) => line[0]).join('') };
  };

  test('passes with the token of a user', async () => {
    expect(await run(app.token('alice@example.org'))).toEqual({ outcome: 'passed', marks: '✓✓✓✓✓' });
  });

  test('fails with a token that the app refuses', async () => {
    const { outcome, marks } = await run('not-a-token');
    expect(marks).toBe('✓✓✗✗✓');
    expect(outcome).toContain('a token is accepted: 401 instead of 200');
  });
});
