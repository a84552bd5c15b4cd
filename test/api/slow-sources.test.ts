/** Which source of custom data was slow: its name, rows and milliseconds, in the log line, in Server-Timing and in a span. */

import { expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { executeSql } from '../support/execute-sql.ts';
import { documentWithSource } from '../support/records.ts';

const lines: Record<string, unknown>[] = [];
const app = useApp({
  settings: { SERVER_TIMING: 'true', LOG_LEVEL: 'debug' },
  log: (line) => {
    if (line.startsWith('{')) lines.push(JSON.parse(line) as Record<string, unknown>);
  },
});
const lineOf = (event: string, requestId: string, more: object = {}) =>
  expect
    .poll(() => lines.filter((line) => line['event'] === event && line['requestId'] === requestId))
    .toEqual(expect.arrayContaining([expect.objectContaining(more)]));

const procedure = (name: string, body: string) =>
  `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] @propID int, @usrPropID int, @langID int AS ${body}`;

/** Creates a document with a source that takes 200 ms and one that has three rows, of two columns, at once. */
async function documentWithTwoSources() {
  const { identifier, propID, path } = await documentWithSource(app, 'REF', (name) => [
    procedure(name, "WAITFOR DELAY '00:00:00.200'; SELECT 1 AS value"),
  ]);
  const quick = `${identifier}quick`;
  for (const batch of [
    `CREATE VIEW dbo.[CustomData_${quick}] AS SELECT ${propID} AS propID, value FROM (VALUES (1), (2), (3)) AS v (value)`,
    `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${propID}, N'${quick}', 'REF_RO')`,
  ])
    await executeSql(app.stack.settings, 'customization', batch);
  return { slow: identifier, quick, path };
}

test('a slow source is named where its time is told, to callers with the role of the service alone', async () => {
  const { slow, quick, path } = await documentWithTwoSources();
  const read = async (requestId: string, roles: readonly string[]) =>
    (
      await app.call('GET', path, {
        token: app.token('alice@example.org', roles),
        headers: { 'X-Request-Id': requestId },
      })
    ).headers.get('Server-Timing') ?? '';

  const timing = await read('named', ['Service.Access']);
  const milliseconds = new Map(
    Array.from(timing.matchAll(/source;dur=([\d.]+);desc="([^"]+)"/g), ([, time, name]) => [
      name,
      Number(time),
    ]),
  );
  expect([...milliseconds.keys()].sort()).toEqual([slow, quick].sort());
  expect(milliseconds.get(slow)).toBeGreaterThanOrEqual(190);
  expect(milliseconds.get(quick)).toBeLessThan(milliseconds.get(slow) ?? 0);
  expect(await read('unnamed', [])).not.toContain(slow);

  for (const requestId of ['named', 'unnamed']) {
    const sources = [
      { identifier: slow, rows: 1, milliseconds: expect.any(Number) },
      { identifier: quick, rows: 3, milliseconds: expect.any(Number) },
    ];
    await lineOf('request', requestId, { sources: expect.arrayContaining(sources) });
    await lineOf('measurement', requestId, {
      kind: 'source',
      name: slow,
      attributes: { 'app.source.name': `pCustomData_${slow}_Get`, 'db.response.returned_rows': 1 },
    });
  }
});

test('a source that fails leaves the number of its SQL error and its name', async () => {
  const { identifier, path } = await documentWithSource(app, 'REF', (name) => [
    procedure(name, 'SELECT 1 / 0 AS value'),
  ]);
  const headers = { 'X-Request-Id': 'failing' };
  const { status } = await app.call('GET', path, { token: app.token('alice@example.org'), headers });
  expect(status).toBe(500);
  await lineOf('request', 'failing', { code: 'custom-data-source-failed', sqlError: 8134, identifier });
  await lineOf('measurement', 'failing', {
    name: 'read sources',
    attributes: expect.objectContaining({
      'db.response.status_code': '8134',
      'db.stored_procedure.name': `pCustomData_${identifier}_Get`,
    }),
  });
});
