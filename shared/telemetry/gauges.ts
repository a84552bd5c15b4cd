/** Numbers that are read when metrics are collected, and cost nothing otherwise. */

import type { Attributes } from './measurement.ts';

/** What a number is: a level, or a count that only grows. */
export interface GaugeDefinition {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  readonly grows?: boolean;
}

/** Every number that is offered so: the table of docs/run.md. */
export const gauges = {
  connections: {
    name: 'db.client.connection.count',
    unit: '{connection}',
    description: 'Connections of a pool, used and idle.',
  },
  connectionsPending: {
    name: 'db.client.connection.pending_requests',
    unit: '{request}',
    description: 'Statements that wait for a connection.',
  },
  budgetUsed: {
    name: 'app.budget.used',
    unit: '1',
    description: 'What is taken of a budget: requests in flight, bytes of bodies.',
  },
  budgetLimit: { name: 'app.budget.limit', unit: '1', description: 'All of that budget.' },
  calendarVersion: {
    name: 'app.calendar.version',
    unit: '1',
    description: 'Version of the log that the replica holds.',
  },
  calendarAge: {
    name: 'app.calendar.replica.age',
    unit: 's',
    description: 'Seconds since the replica was last known to be up to date.',
  },
  calendarRecords: {
    name: 'app.calendar.records',
    unit: '{record}',
    description: 'Records in memory.',
  },
  cacheHits: {
    name: 'app.cache.hits',
    unit: '{lookup}',
    description: 'Look-ups that a cache has answered.',
    grows: true,
  },
  cacheMisses: {
    name: 'app.cache.misses',
    unit: '{lookup}',
    description: 'Look-ups that a cache has not.',
    grows: true,
  },
  cacheBytes: {
    name: 'app.cache.size',
    unit: 'By',
    description: 'Bytes that a cache keeps, where it counts them.',
  },
} as const satisfies Record<string, GaugeDefinition>;

export type GaugeName = keyof typeof gauges;

/** A number and what it is about; few different ones, since each is kept for itself. */
export type Observation = readonly [value: number, attributes?: Attributes];

export type Observations = () => readonly Observation[];

const registeredGauges = new Map<string, { readonly name: GaugeName; readonly read: Observations }>();

/** Offers a number under a name, in place of what was offered for the same `key` before. */
export function offerGauge(name: GaugeName, key: string, read: Observations): void {
  registeredGauges.set(`${name} ${key}`, { name, read });
}

/** Reads a number from everyone who offers it. What cannot be read is left out. */
export function readGauge(wanted: GaugeName): Observation[] {
  return [...registeredGauges.values()]
    .filter(({ name }) => name === wanted)
    .flatMap(({ read }) => {
      try {
        return read();
      } catch {
        return [];
      }
    });
}
