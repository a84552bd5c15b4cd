/** What others notice of attacks on the built app: response times of honest callers alone and meanwhile, and the memory of the app's process. */

import { type DevStack, startDevStack } from '../../../local/dev-stack.ts';
import { prepareDatabases } from '../../../scripts/migrate/migrate.ts';
import { executeSql } from '../../support/execute-sql.ts';
import { writeManyEvents } from '../../support/many-events.ts';
import type { BenchmarkRow } from '../benchmark.ts';
import { type Statuses, startAttack } from './attacker.ts';
import { type Ammunition, type Attack, attacks } from './attacks.ts';
import { appProcessOf, watchMemory } from './memory.ts';
import { type Experience, experienceOf } from './victims.ts';

export interface HostileOptions {
  /** How long callers are measured, alone and under attack. */
  readonly seconds: number;
}

const events = 10_000;
const calendar = 'attacked';
/** Of the app's process: small, so that what is not bounded ends it. */
const heap = '--max-old-space-size=384';
const slowObject = 'document-large';

/** Makes each attack on an app of its own, which runs with a small heap over the emulators of one dev stack. */
export async function hostile({ seconds }: HostileOptions): Promise<readonly BenchmarkRow[]> {
  const stack = await startDevStack({
    migrate: prepareDatabases,
    prepareDatabases: true,
    sampleCalendar: false,
  });
  try {
    const ammunition = await prepare(stack);
    const rows: BenchmarkRow[] = [];
    for (const [index, attack] of attacks.entries()) {
      console.error(`  ${attack.name}`);
      rows.push(...(await attackOnce(stack, ammunition, { attack, index, seconds })));
    }
    return rows;
  } finally {
    await stack.stop();
  }
}

async function prepare({ settings, token }: DevStack): Promise<Ammunition> {
  const names = ['alice', 'dorte', 'erik', 'fiona'];
  const connectionString = settings['CALENDAR_TABLE_CONNECTION_STRING'] ?? '';
  const log = { connectionString, endpoint: '', tableName: 'calendar', calendar, staleIfError: 300 };
  await writeManyEvents(log, events);
  await slowDown(settings, slowObject);
  return {
    slowObject,
    tokens: Object.fromEntries(names.map((name) => [name, token(`${name}@example.org`)])),
  };
}

/** Registers a read procedure that takes a second. */
async function slowDown(settings: DevStack['settings'], object: string): Promise<void> {
  const [row] = await executeSql(
    settings,
    'main',
    `SELECT propID FROM dbo.tObjProperties WHERE objectID = N'${object}'`,
  );
  for (const batch of [
    `CREATE PROCEDURE dbo.pCustomData_slow_Get @propID int, @usrPropID int, @langID int AS BEGIN SET NOCOUNT ON; WAITFOR DELAY '00:00:01'; SELECT 1 AS one; END`,
    `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${row?.['propID']}, N'slow', 'REF')`,
  ])
    await executeSql(settings, 'customization', batch);
}

interface Round extends HostileOptions {
  readonly attack: Attack;
  readonly index: number;
}

async function attackOnce(
  stack: DevStack,
  ammunition: Ammunition,
  { attack, index, seconds }: Round,
): Promise<BenchmarkRow[]> {
  const app = await stack.startAnotherApp({ CALENDAR_NAME: calendar, NODE_OPTIONS: heap });
  try {
    const { url } = app;
    const measure = (time: number) =>
      Promise.all(attack.victims.map((victim) => experienceOf(victim, url, ammunition, time)));
    await measure(2);
    const alone = await measure(seconds);
    const pid = await appProcessOf(app.process.pid);
    const peak = watchMemory(pid);
    const end = await startAttack({ url, attack: index, ammunition });
    const attacked = await measure(seconds);
    const statuses = await end();
    const memory = peak();
    return attack.victims.map((victim, at) =>
      row(
        `${victim} during ${attack.name}`,
        alone[at],
        attacked[at],
        `${megabytes(memory)}; ${tell(statuses)}`,
      ),
    );
  } finally {
    await app.stop();
  }
}

function row(
  name: string,
  alone: Experience | undefined,
  attacked: Experience | undefined,
  details: string,
): BenchmarkRow {
  const { p50 = Number.NaN, p99 = Number.NaN } = alone ?? {};
  const value = attacked?.p99 ?? Number.NaN;
  const medians = `p50 ${p50.toFixed(1)} to ${attacked?.p50.toFixed(1)} ms`;
  return {
    name,
    value,
    unit: 'ms (p99)',
    against: { name: 'alone', value: p99 },
    ratio: value / p99,
    target: 'at most 2',
    details: `${medians}; answered ${tell(attacked?.statuses ?? {})}; ${details}`,
  };
}

function megabytes(memory: number | undefined): string {
  return memory === undefined ? 'THE PROCESS HAS ENDED' : `app ${memory.toFixed(0)} MiB`;
}

function tell(statuses: Statuses): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${status} x ${count}`)
    .join(', ');
}
