/** What others notice of attacks on the built app: response times of honest callers alone and meanwhile, in turn, and what the app's process spends. */

import { type DevStack, startDevStack } from '../../../local/dev-stack.ts';
import { prepareDatabases } from '../../../scripts/migrate/migrate.ts';
import { executeSql } from '../../support/execute-sql.ts';
import { writeManyEvents } from '../../support/many-events.ts';
import { type BenchmarkOptions, type BenchmarkRow, percentile } from '../benchmark.ts';
import { type Outcome, startAttack } from './attacker.ts';
import { type Ammunition, type Attack, attacks, bearer, calendar as calendarPath } from './attacks.ts';
import { appProcessOf, processorTime, watchMemory } from './processes.ts';
import { type Experience, experienceOf, joined, refusalsOf, sum } from './victims.ts';

const events = 10_000;
const calendar = 'attacked';
/** Of the app's process: small, so that what is not bounded ends it. */
const heap = '--max-old-space-size=384';
const slowObject = 'document-large';
/** What the PUTs leave there is as large. */
const largeObject = 'document-contract';
/** Seconds in which the app gets warm. */
const warmUp = 3;

/** Makes each attack on apps of its own, one a round, each of which runs with a small heap over the emulators of one dev stack. */
export async function hostile(options: BenchmarkOptions): Promise<readonly BenchmarkRow[]> {
  const stack = await startDevStack({
    migrate: prepareDatabases,
    prepareDatabases: true,
    sampleCalendar: false,
  });
  try {
    const ammunition = await prepare(stack);
    const rows: BenchmarkRow[] = [];
    for (const [index, attack] of attacks.entries()) {
      if (!options.attack.split(',').some((text) => attack.name.includes(text))) continue;
      console.error(`  ${attack.name}`);
      const found = await measureAttack(stack, ammunition, { ...options, attack, index });
      for (const { name, value, ratio, details } of found)
        console.error(`    ${name}: p99 ${value.toFixed(0)} ms, ratio ${ratio?.toFixed(2)}; ${details}`);
      rows.push(...found);
    }
    return rows;
  } finally {
    await stack.stop();
  }
}

export async function prepare({ settings, token, startAnotherApp }: DevStack): Promise<Ammunition> {
  const names = ['alice', 'dorte', 'erik', 'fiona'];
  const connectionString = settings['CALENDAR_TABLE_CONNECTION_STRING'] ?? '';
  const log = { connectionString, endpoint: '', tableName: 'calendar', calendar, staleIfError: 300 };
  await writeManyEvents(log, events);
  await slowDown(settings, slowObject);
  await storeLarge(settings, largeObject);
  const tokens = Object.fromEntries(names.map((name) => [name, token(`${name}@example.org`)]));
  const app = await startAnotherApp({ CALENDAR_NAME: calendar });
  const lockedEvent = await lockEvent(app.url, tokens['alice']).finally(() => app.stop());
  return { slowObject, lockedEvent, tokens };
}

/** Creates an event that a password protects, and resolves with its id. */
async function lockEvent(url: string, token: string | undefined): Promise<number> {
  const reply = await fetch(`${url}${calendarPath}/events`, {
    method: 'POST',
    headers: { ...bearer(token), 'Content-Type': 'application/json' },
    body: JSON.stringify({
      title: 'Locked',
      start_date: '2031-01-01 10:00:00',
      end_date: '2031-01-01 11:00:00',
      access_password: 'sesame',
    }),
  });
  const { id } = (await reply.json()) as { readonly id: number };
  return id;
}

/** Registers a read procedure that takes a second. */
async function slowDown(settings: DevStack['settings'], object: string): Promise<void> {
  const propID = await propIdOf(settings, object);
  for (const batch of [
    `CREATE PROCEDURE dbo.pCustomData_slow_Get @propID int, @usrPropID int, @langID int AS BEGIN SET NOCOUNT ON; WAITFOR DELAY '00:00:01'; SELECT 1 AS one; END`,
    `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${propID}, N'slow', 'REF')`,
  ])
    await executeSql(settings, 'customization', batch);
}

/** Stores a value of 3 MiB. */
async function storeLarge(settings: DevStack['settings'], object: string): Promise<void> {
  await executeSql(
    settings,
    'customization',
    `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind, customData) VALUES (${await propIdOf(settings, object)}, N'remark', 'JSON', N'"${'x'.repeat(3 * 1024 * 1024)}"')`,
  );
}

async function propIdOf(settings: DevStack['settings'], object: string): Promise<unknown> {
  const [row] = await executeSql(
    settings,
    'main',
    `SELECT propID FROM dbo.tObjProperties WHERE objectID = N'${object}'`,
  );
  return row?.['propID'];
}

interface Plan extends Omit<BenchmarkOptions, 'attack'> {
  readonly attack: Attack;
  readonly index: number;
}

/** What was measured in one round; experiences in the order of the victims. */
interface Round {
  readonly alone: readonly Experience[];
  readonly attacked: readonly Experience[];
  /** Milliseconds of refusals, as one more connection of the attacker meets them. */
  readonly refusals: readonly number[];
  readonly outcome: Outcome;
  /** Milliseconds of the app's processor for each request: of honest callers alone, and of all under attack. */
  readonly cost: { readonly alone: number; readonly attacked: number };
  /** Most memory in MiB; undefined where the process has ended. */
  readonly peak: { readonly app: number | undefined; readonly host: number | undefined };
}

/** Measures in several rounds, each on an app that has not been attacked before. */
async function measureAttack(stack: DevStack, ammunition: Ammunition, plan: Plan): Promise<BenchmarkRow[]> {
  const { attack, rounds } = plan;
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) measured.push(await measureRound(stack, ammunition, plan));
  return attack.victims.map((victim, at) => rowOf(`${victim} during ${attack.name}`, at, measured));
}

async function measureRound(
  stack: DevStack,
  ammunition: Ammunition,
  { attack, index, seconds }: Plan,
): Promise<Round> {
  const app = await stack.startAnotherApp({ CALENDAR_NAME: calendar, NODE_OPTIONS: heap });
  try {
    const { url } = app;
    const measure = (time: number) =>
      Promise.all(attack.victims.map((victim) => experienceOf(victim, url, ammunition, time)));
    const pid = await appProcessOf(app.process.pid);
    const peakOfApp = watchMemory(pid);
    const peakOfHost = watchMemory(app.process.pid ?? 0);
    await measure(warmUp);
    const start = await processorTime(pid);
    const alone = await measure(seconds);
    const middle = await processorTime(pid);
    const end = await startAttack({ url, attack: index, ammunition });
    const [attacked, refusals] = await Promise.all([
      measure(seconds),
      refusalsOf(attack, url, ammunition, seconds),
    ]);
    const outcome = await end();
    const cost = {
      alone: (middle - start) / requestsOf(alone),
      attacked: ((await processorTime(pid)) - middle) / (requestsOf(attacked) + count(outcome)),
    };
    return { alone, attacked, refusals, outcome, cost, peak: { app: peakOfApp(), host: peakOfHost() } };
  } finally {
    await app.stop();
  }
}

function requestsOf(experiences: readonly Experience[]): number {
  return experiences.reduce((sum, { times }) => sum + times.length, 0);
}

function count({ statuses }: Outcome): number {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0);
}

function rowOf(name: string, at: number, rounds: readonly Round[]): BenchmarkRow {
  const alone = joined(rounds.flatMap((round) => round.alone[at] ?? []));
  const attacked = joined(rounds.flatMap((round) => round.attacked[at] ?? []));
  const replies = sum(rounds.map(({ outcome }) => outcome.statuses));
  const refusals = rounds.flatMap((round) => round.refusals);
  const mean = (kind: 'perSecond' | 'inFlight') =>
    (rounds.reduce((sum, { outcome }) => sum + outcome[kind], 0) / rounds.length).toFixed(0);
  const cost = (kind: 'alone' | 'attacked') =>
    (rounds.reduce((sum, round) => sum + round.cost[kind], 0) / rounds.length).toFixed(1);
  const details = [
    `p50 ${alone.p50.toFixed(1)} to ${attacked.p50.toFixed(1)} ms (${(attacked.p50 / alone.p50).toFixed(1)})`,
    `answered ${tell(attacked.statuses)}`,
    `app ${megabytes(rounds.map(({ peak }) => peak.app))}, host ${megabytes(rounds.map(({ peak }) => peak.host))}`,
    `attacker ${tell(replies)}, ${mean('perSecond')}/s with ${mean('inFlight')} in flight`,
    ...(refusals.length === 0
      ? []
      : [
          `p50 and p99 of refusals ${[0.5, 0.99].map((part) => percentile(refusals, part).toFixed(0)).join(' and ')} ms`,
        ]),
    `app's processor ${cost('alone')} and ${cost('attacked')} ms a request`,
  ];
  return {
    name,
    value: attacked.p99,
    unit: 'ms (p99)',
    against: { name: 'alone', value: alone.p99 },
    ratio: attacked.p99 / alone.p99,
    target: 'at most 2',
    details: details.join('; '),
  };
}

function megabytes(peaks: readonly (number | undefined)[]): string {
  const measured = peaks.filter((one) => one !== undefined);
  return measured.length < peaks.length ? 'THE PROCESS HAS ENDED' : `${Math.max(...measured).toFixed(0)} MiB`;
}

function tell(statuses: Outcome['statuses']): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${status} x ${count}`)
    .join(', ');
}
