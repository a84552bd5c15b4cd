import { setImmediate as logWritten } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { SqlFailure } from '../../../../shared/sql/failure.ts';
import { logFailure } from '../../../../shared/telemetry/log.ts';

test('logFailure() writes no message that may quote values, neither of the error nor of its causes', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const cause = new SqlFailure('no right for alice@example.org', { number: 50_001, procedure: 'p', line: 2 });
  logFailure('id-1', new Error('Cannot read', { cause }));
  await logWritten();
  const line = String(write.mock.calls[0]?.[0]);
  write.mockRestore();
  expect(line).not.toContain('example.org');
  expect(JSON.parse(line)).toMatchObject({
    event: 'failure',
    requestId: 'id-1',
    error: {
      message: 'Cannot read',
      cause: {
        name: 'SqlFailure',
        message: 'SQL error 50001 in p, line 2',
        number: 50_001,
        stack: expect.stringMatching(/^\w+: SQL error 50001 in p, line 2\n {4}at /),
      },
    },
  });
});
