/** What honest callers meet: their requests one after the other at an even pace, and how long each takes. */

import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../benchmark.ts';
import { type Ammunition, type Attack, bearer, calendar, ordinary, type VictimName } from './attacks.ts';
import { createClient, type HostileRequest } from './client.ts';

/** Callers of each kind at once, and milliseconds between the requests of one. */
const callers = 4;
const pause = 40;

/** What callers of one kind have met. */
export interface Experience {
  /** Milliseconds of each request. */
  readonly times: readonly number[];
  readonly statuses: Readonly<Record<string, number>>;
}

const requests: Readonly<Record<VictimName, (ammunition: Ammunition) => HostileRequest>> = {
  visitor: () => ({ method: 'GET', path: `${calendar}/events` }),
  clerk: ({ tokens }) => ({
    method: 'GET',
    path: ordinary,
    headers: bearer(tokens['fiona']),
  }),
  editor: ({ tokens }) => ({
    method: 'POST',
    path: `${calendar}/events`,
    headers: bearer(tokens['alice']),
    body: JSON.stringify({
      title: 'Honest',
      start_date: '2031-01-01 10:00:00',
      end_date: '2031-01-01 11:00:00',
    }),
  }),
};

/** Calls as a victim for so many seconds. */
export async function experienceOf(
  victim: VictimName,
  url: string,
  ammunition: Ammunition,
  seconds: number,
): Promise<Experience> {
  const replies = await call(url, () => requests[victim](ammunition), { callers, seconds });
  return { times: replies.map(({ time }) => time), statuses: countOf(replies) };
}

/** Calls as the attacker does, in the midst of the attack but with the priority of the victims, for so many seconds. Returns the milliseconds of each refusal for too much (429, 503). */
export async function refusalsOf(
  attack: Attack,
  url: string,
  ammunition: Ammunition,
  seconds: number,
): Promise<readonly number[]> {
  let index = 1_000_000;
  const replies = await call(url, () => attack.request(ammunition, index++), { callers: 1, seconds });
  return replies.filter(({ status }) => status === '429' || status === '503').map(({ time }) => time);
}

interface TimedReply {
  readonly status: string;
  /** Milliseconds. */
  readonly time: number;
}

async function call(
  url: string,
  request: () => HostileRequest,
  { callers, seconds }: { readonly callers: number; readonly seconds: number },
): Promise<readonly TimedReply[]> {
  const { send, close } = createClient(url, callers);
  const replies: TimedReply[] = [];
  const end = performance.now() + seconds * 1000;
  const callOn = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      const status = await send(request());
      replies.push({ status, time: performance.now() - started });
      await delay(pause);
    }
  };
  await Promise.all(Array.from({ length: callers }, callOn));
  close();
  return replies;
}

function countOf(replies: readonly TimedReply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Joins what was met in several rounds. */
export function joined(
  rounds: readonly Experience[],
): Experience & { readonly p50: number; readonly p99: number } {
  const times = rounds.flatMap((round) => round.times);
  const statuses = sum(rounds.map((round) => round.statuses));
  return { times, statuses, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

/** Adds up counts of the same names. */
export function sum(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
  return total;
}
