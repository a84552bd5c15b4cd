/** All benchmarks, each loaded when it runs. */

import type { Benchmark } from './benchmark.ts';

export const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  startup: async () => (await import('./startup.ts')).startup,
  'refused-token': async () => (await import('./refused-token.ts')).refusedToken,
  records: async () => (await import('./records.ts')).records,
  'sql-server': async () => (await import('./sql-server.ts')).sqlServer,
  calendar: async () => (await import('./calendar/calendar.ts')).calendar,
  'calendar-instances': async () => (await import('./calendar/instances.ts')).calendarInstances,
  instances: async () => (await import('./instances/instances.ts')).instances,
  'calendar-import': async () => (await import('./calendar-import.ts')).calendarImport,
  'calendar-store': async () => (await import('./calendar-store.ts')).calendarStore,
  load: async () => (await import('./load/load.ts')).load,
  telemetry: async () => (await import('./telemetry.ts')).telemetry,
};
