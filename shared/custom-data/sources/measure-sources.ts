/** How long each source took, and how many rows it gave. */

import type { ResultSet } from '../../sql/values.ts';
import { addMeasurement } from '../../telemetry/trace.ts';
import { getProcedure, type Reference } from './reference.ts';
import { resultsBySource, sourceTimes } from './source-results.ts';

/** Measures each source by the times of the server, which ends with the last marker. */
export function measureSources(references: readonly Reference[], results: readonly ResultSet[]): void {
  const times = sourceTimes(results);
  const end = times.at(-1);
  if (end === undefined) return;
  const groups = resultsBySource(results);
  const now = performance.now();
  for (const [index, { identifier, source }] of references.entries()) {
    const [started = end, ended = end] = times.slice(index, index + 2);
    // The columns of a view come before its rows.
    const rows = groups[index]?.[source.hasProcedure ? 0 : 1]?.rows.length ?? 0;
    const procedure = source.hasProcedure ? getProcedure(identifier) : `CustomData_${identifier}`;
    addMeasurement(
      'source',
      identifier,
      { 'app.source.name': procedure, 'db.response.returned_rows': rows },
      { started: now - (end - started), ended: now - (end - ended) },
    );
  }
}
