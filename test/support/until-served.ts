/** Many calls at once on a machine that is busy: some are refused for want of a turn at the database, and come again, as clients do. */

import { setTimeout as delay } from 'node:timers/promises';
import type { TestReply } from './app.ts';

/** Milliseconds until one comes again. */
const pause = 200;

/** Calls again as long as the database is busy. Nothing was done by a call that was refused so. */
export async function untilServed(call: () => Promise<TestReply>): Promise<TestReply> {
  const reply = await call();
  if (reply.status !== 503 || (reply.json as { code?: string }).code !== 'database-busy') return reply;
  await delay(pause);
  return untilServed(call);
}

/** Runs work on the databases again as long as they are busy. */
export async function untilRun<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: string }).code !== 'database-busy') throw error;
    await delay(pause);
    return untilRun(work);
  }
}
