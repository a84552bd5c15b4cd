/** Honest callers: clerks who read custom data, their requests one after the other at an even pace. */

import { afterSeconds, applyLoad, type Summary, summarize } from './client.ts';
import { bearer, customDataOf, type Fixtures } from './fixtures.ts';

/** Callers at once, and milliseconds between the requests of one. */
const connections = 4;
const pauseMs = 40;

/** Calls as clerks for a number of seconds. */
export async function callAsClerks(url: string, { tokens }: Fixtures, seconds: number): Promise<Summary> {
  const request = () => ({
    method: 'GET',
    path: customDataOf('document-letter'),
    headers: bearer(tokens['fiona']),
  });
  const load = { connections, request, pauseMs, isOver: afterSeconds(seconds) };
  return summarize((await applyLoad(url, load)).replies);
}
