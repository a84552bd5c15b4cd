/** Many calls at once on a machine that is busy: some are refused for want of a turn at the database, and come again, as clients do. */

import { setTimeout as delay } from 'node:timers/promises';
import type { TestReply } from './app.ts';

/** Calls again as long as the database is busy. Nothing was done by a call that was refused so. */
export async function untilServed(call: () => Promise<TestReply>): Promise<TestReply> {
  const reply = await call();
  if (reply.status !== 503 || (reply.json as { code?: string }).code !== 'database-busy') return reply;
  await delay(200);
  return untilServed(call);
}
