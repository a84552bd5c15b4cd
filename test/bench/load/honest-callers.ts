/** Honest callers: their requests one after the other at an even pace. */

import type { CallerName } from './attacks.ts';
import { afterSeconds, applyLoad, type HttpRequest, type Summary, summarize } from './client.ts';
import { bearer, calendar, customDataOf, type Fixtures, newEvent } from './fixtures.ts';

/** Callers of each kind at once, and milliseconds between the requests of one. */
const connections = 4;
const pauseMs = 40;

const requests: Readonly<Record<CallerName, (fixtures: Fixtures) => HttpRequest>> = {
  visitor: () => ({ method: 'GET', path: `${calendar}/events` }),
  clerk: ({ tokens }) => ({
    method: 'GET',
    path: customDataOf('document-letter'),
    headers: bearer(tokens['fiona']),
  }),
  editor: ({ tokens }) => ({
    method: 'POST',
    path: `${calendar}/events`,
    headers: bearer(tokens['alice']),
    body: newEvent,
  }),
};

/** Calls as one kind of caller for a number of seconds. */
export async function callAs(
  name: CallerName,
  url: string,
  fixtures: Fixtures,
  seconds: number,
): Promise<Summary> {
  const request = () => requests[name](fixtures);
  const load = { connections, request, pauseMs, isOver: afterSeconds(seconds) };
  return summarize((await applyLoad(url, load)).replies);
}
