/** Runs requests and collects their outcomes. */
import type { Event, Session } from '../../src/engine/session.ts';
import { FormOfValues } from './form-of-values.ts';

/** Returns the rows, error numbers and printed texts of a request, in order. Throws when a value lacks the form of its column. */
export async function outcomes(events: AsyncIterable<Event>): Promise<unknown[]> {
  const found: unknown[] = [];
  const form = new FormOfValues();
  for await (const event of events) {
    form.see(event);
    if (event.kind === 'row') found.push(event.values);
    if (event.kind === 'message' && event.message.class > 10) found.push(`error ${event.message.number}`);
  }
  if (form.problems.length) throw new Error(form.problems.join('\n'));
  return found;
}

export function run(session: Session, sql: string): Promise<unknown[]> {
  return outcomes(session.batch(sql));
}
