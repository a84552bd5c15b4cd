import { expect, test } from 'vitest';
import type { Log } from '../../../../../functions/calendar/log/log.ts';
import { anonymous } from '../../../../../functions/calendar/model/rights.ts';
import { siteOf } from '../../../../../functions/calendar/model/site.ts';
import { ReplicaSession } from '../../../../../functions/calendar/operations/replica-session.ts';
import { TurnIsOver } from '../../../../../functions/calendar/read/rendered-in-turns.ts';

const request = { caller: anonymous, parameters: {}, root: '', language: undefined };
const log = {
  read: async () => ({ history: 'a' }),
  progress: () => ({ isWhole: true }),
  close: () => {},
} as unknown as Log;

function sessionWith(readWorkMs: number): ReplicaSession {
  return new ReplicaSession({
    site: siteOf('https://calendar.example.org', 'UTC'),
    openLog: () => log,
    readWorkMs,
  });
}

/** Creates a query that needs a number of turns. */
function queryOf(turns: number) {
  let begun = 0;
  return () => {
    begun += 1;
    if (begun < turns) throw new TurnIsOver();
    return begun;
  };
}

test('a read has as many turns as it needs', async () => {
  expect((await sessionWith(20_000).read(request, queryOf(100))).value).toBe(100);
});

test('a read that does not end is given up, whoever still waits for it', async () => {
  await expect(sessionWith(30).read(request, queryOf(Number.POSITIVE_INFINITY))).rejects.toMatchObject({
    code: 'overloaded',
    retryAfter: 5,
  });
});
