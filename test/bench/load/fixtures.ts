/** The data of the load benchmarks: a calendar of 10,000 events, documents, users and their tokens, and a slow source. */

import { type DevStack, startDevStack } from '../../../local/index.ts';
import { prepareDatabases } from '../../../scripts/migrate/migrate.ts';
import { executeSql } from '../../support/execute-sql.ts';
import { writeManyEvents } from '../../support/many-events.ts';
import { paced } from '../pace.ts';

export const events = paced(10_000, 200);
/** The calendar's setting CALENDAR_NAME. */
export const calendarName = 'bench';
export const calendar = '/api/tribe/events/v1';

/** Users and documents beside those of the sample data, by their ids. */
const userIds = range(1001, 16);
const documentIds = range(2001, 16);
const slowId = 2999;

export interface Fixtures {
  /** Tokens by the first name of a sample user. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Tokens of further users without a role. */
  readonly userTokens: readonly string[];
  /** Documents with small custom data. */
  readonly documents: readonly string[];
  /** A document whose custom data takes a second to read. */
  readonly slowDocument: string;
}

export const customDataOf = (document: string) => `/api/v8.0/documents/${document}/custom-data`;
export const bearer = (token: string | undefined) => ({ Authorization: `Bearer ${token}` });

const dates = { start_date: '2031-01-01 10:00:00', end_date: '2031-01-01 11:00:00' };
export const newEvent = JSON.stringify({ title: 'Honest', ...dates });

/** Runs work on a dev stack with the fixtures, and stops it. */
export async function withFixtures<T>(work: (fixtures: Fixtures, stack: DevStack) => Promise<T>): Promise<T> {
  const stack = await startDevStack({
    migrate: prepareDatabases,
    prepareDatabases: true,
    sampleCalendar: false,
  });
  try {
    return await work(await prepareFixtures(stack), stack);
  } finally {
    await stack.stop();
  }
}

/** Returns where the tables of a dev stack are, for a log of any calendar. */
export function settingsOfLog({ settings }: DevStack) {
  const connectionString = settings['CALENDAR_TABLE_CONNECTION_STRING'] ?? '';
  return { connectionString, endpoint: '', tableName: 'calendar', staleIfError: 300 };
}

async function prepareFixtures(stack: DevStack): Promise<Fixtures> {
  const { settings, identity } = stack;
  await writeManyEvents({ ...settingsOfLog(stack), calendar: calendarName }, events);
  await executeSql(settings, 'main', usersAndDocuments());
  for (const batch of slowSource) await executeSql(settings, 'customization', batch);
  const names = ['alice', 'erik', 'fiona'];
  const tokens = Object.fromEntries(names.map((name) => [name, stack.token(`${name}@example.org`)]));
  const userTokens = userIds.map((id) =>
    identity.issueToken({ email: `user-${id}@example.org`, oid: `user-${id}`, sub: `user-${id}`, roles: [] }),
  );
  const documents = documentIds.map(documentName);
  return { tokens, userTokens, documents, slowDocument: documentName(slowId) };
}

const documentName = (id: number) => `document-${id}`;

/** Returns the batch that inserts the users and documents. */
function usersAndDocuments(): string {
  const documents = [...documentIds, slowId];
  const rows = (ids: readonly number[], row: (id: number) => string) => ids.map(row).join(', ');
  return `SET IDENTITY_INSERT dbo.tObjProperties ON;
    INSERT INTO dbo.tObjProperties (propID, objectID, moduleID, typeID) VALUES
      ${rows(userIds, (id) => `(${id}, N'person-${id}', 1, 1)`)}, ${rows(documents, (id) => `(${id}, N'${documentName(id)}', 2, 5)`)};
    SET IDENTITY_INSERT dbo.tObjProperties OFF;
    INSERT INTO dbo.tPersons (propID, name, email) VALUES ${rows(userIds, (id) => `(${id}, N'User ${id}', N'user-${id}@example.org')`)};
    INSERT INTO dbo.tUserSettings (usrPropID, account, langID) VALUES ${rows(userIds, (id) => `(${id}, N'user-${id}', 1033)`)};
    INSERT INTO dbo.tDocuments (propID, parentPropID, title) VALUES ${rows(documents, (id) => `(${id}, 302, N'Document ${id}')`)};`;
}

/** A read procedure that takes a second, and the document that it is of. */
const slowSource = [
  `CREATE PROCEDURE dbo.pCustomData_slow_Get @propID int, @usrPropID int, @langID int AS BEGIN SET NOCOUNT ON; WAITFOR DELAY '00:00:01'; SELECT 1 AS one; END`,
  `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${slowId}, N'slow', 'REF')`,
];

function range(start: number, length: number): number[] {
  return Array.from({ length }, (_, index) => start + index);
}
