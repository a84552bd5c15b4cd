import type { Event, Session } from '../../../../../local/sql-server/engine/session.ts';

/** The rows, error numbers and printed texts of a request, in order. */
export async function outcomes(events: AsyncIterable<Event>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const event of events) {
    if (event.kind === 'row') found.push(event.values);
    if (event.kind === 'message' && event.message.class > 10) found.push(`error ${event.message.number}`);
  }
  return found;
}

export function run(session: Session, sql: string): Promise<unknown[]> {
  return outcomes(session.batch(sql));
}
