/** A database that answers slowly, because callers use all connections to it with statements of theirs, is busy; it has not gone. */

import { expect, test } from 'vitest';
import { type TestReply, useApp } from '../support/app.ts';
import { documentWithSource } from '../support/records.ts';

const app = useApp({ settings: { APIS: 'records' } });

/** Creates a document whose custom data take eight seconds to read, as a report does. */
async function slowDocument(): Promise<string> {
  const { path } = await documentWithSource(app, 'REF', (name) => [
    `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] @propID int, @usrPropID int, @langID int AS WAITFOR DELAY '00:00:08'; SELECT 1 AS value`,
  ]);
  return path;
}

async function health() {
  const { status, json } = await app.call('GET', '/health');
  const { dependencies } = json as { dependencies: { database: { state: string; code?: string } } };
  const { state, code } = dependencies.database;
  return { status, state, code };
}

function outcomeOf({ status, json, headers }: TestReply): string {
  const { code = '' } = json as { code?: string };
  return `${status} ${code} ${headers.has('retry-after')}`.trim();
}

test('two callers whose slow reads use all connections leave a database that is busy, and healthy', async () => {
  const calls = ['alice@example.org', 'bjorn@example.org'].map((email) => {
    const token = app.token(email);
    return (path: string) => app.call('GET', path, { token });
  });
  const paths = [await slowDocument(), await slowDocument()];
  const quick = '/v8.0/documents/document-letter';
  await expect.poll(health).toEqual({ status: 200, state: 'ready', code: undefined });

  const reads = calls.flatMap((call, index) =>
    Array.from({ length: 12 }, () => call(paths[index] ?? '').then(outcomeOf)),
  );
  const others = Array.from({ length: 4 }, async (_, index) => {
    // Behind the slow ones: some are refused while these run.
    await expect.poll(health).toMatchObject({ code: 'database-busy' });
    return calls[index % 2]?.(quick).then(outcomeOf);
  });
  const seen = new Set<string>();
  const watched = Promise.all([...reads, ...others]);
  let isDone = false;
  void watched.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const { status, state } = await health();
    seen.add(`${status} ${state}`);
  }
  const outcomes = new Set(await watched);
  // On a machine with much else to do, eight seconds are more than a statement has.
  outcomes.delete('500 custom-source-timeout false');
  expect([...seen]).toEqual(['200 ready']);
  expect([...outcomes].toSorted()).toEqual(['200  false', '503 database-busy true']);
  // Nothing is left of it: no circuit is open, and health says so.
  expect(calls[0] && outcomeOf(await calls[0](quick))).toBe('200  false');
  await expect.poll(health).toEqual({ status: 200, state: 'ready', code: undefined });
});
