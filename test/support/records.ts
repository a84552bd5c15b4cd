/** Calls of the records API in tests. */

import { randomUUID } from 'node:crypto';
import type { CallOptions, TestApp, TestReply } from './app.ts';
import { executeSql } from './execute-sql.ts';

/** Calls the records API as a user; the version is part of the path: `/v7/diaries`. */
export function recordsAs(app: TestApp, email: string) {
  const call = (method: string, path: string, options: CallOptions = {}): Promise<TestReply> =>
    app.call(method, path, { token: app.token(email), ...options });
  return Object.assign(call, { app });
}

/** Checks whether the app serves the metadata of objects; that of an existing product does not. */
export function servesMetadata({ stack: { settings } }: TestApp): boolean {
  return settings['OBJECT_METADATA'] !== 'none';
}

/** Returns the number that a type of objects has in the databases of the app. */
export function typeNumber({ stack: { settings } }: TestApp, collection: string): number {
  const numbers = settings['OBJECT_TYPES'] || 'diaries=2,journalized-cases=3,deeds=4,documents=5';
  return Number(new RegExp(`${collection}=(\\d+)`).exec(numbers)?.[1]);
}

/**
 * Returns the health of the databases in a new process of the app without the calendar, with the status of the reply: as an anonymous
 * caller sees it, then as a caller with a token sees it.
 */
export async function healthOfNewApp(app: TestApp, ...tokens: readonly string[]) {
  await using another = await app.startAnother({ APIS: 'records' });
  const replies = [];
  for (const token of [undefined, ...tokens]) {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const reply = await fetch(`${another.base}/health`, { headers });
    const { dependencies } = (await reply.json()) as { dependencies: { database: Record<string, string> } };
    const { since: _, ...database } = dependencies.database;
    replies.push({ status: reply.status, database });
  }
  return replies;
}

/** Gives a person of the sample data another e-mail address. */
export async function setEmail(app: TestApp, propID: number, email: string): Promise<void> {
  const emailLiteral = `N'${email}'`;
  const change = servesMetadata(app)
    ? `UPDATE dbo.tPersons SET email = ${emailLiteral} WHERE propID = ${propID}`
    : `UPDATE dbo.tContacts SET mailAddress = ${emailLiteral} WHERE contactID = ${propID}`;
  await executeSql(app.stack.settings, 'main', change);
}

/** Creates a diary, a case, a deed and a document of a test's own, and gives their identifiers. */
export async function createObjects(call: ReturnType<typeof recordsAs>) {
  if (!servesMetadata(call.app)) return createInProduct(call.app);
  const create = async (path: string, body: unknown) => {
    const reply = await call('POST', path, { body });
    if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    return (reply.json as { id: string }).id;
  };
  const diary = await create('/v8.0/diaries', { title: 'Diary', year: 2031 });
  const journalizedCase = await create(`/v8.0/diaries/${diary}/journalized-cases`, { title: 'Case' });
  const deed = await create(`/v8.0/journalized-cases/${journalizedCase}/deeds`, { title: 'Deed' });
  const document = await create(`/v8.0/deeds/${deed}/documents`, { title: 'Document' });
  return { diary, journalizedCase, deed, document };
}

/** An existing product creates its objects itself. */
async function createInProduct(app: TestApp) {
  const id = randomUUID().slice(0, 8);
  const ids = {
    diary: `diary-${id}`,
    journalizedCase: `case-${id}`,
    deed: `deed-${id}`,
    document: `document-${id}`,
  };
  const types = ['diaries', 'journalized-cases', 'deeds', 'documents'].map((name) => typeNumber(app, name));
  const rows = Object.values(ids).map(
    (name, index) => `(@last + ${index + 1}, N'${name}', 7, ${types[index]})`,
  );
  await executeSql(
    app.stack.settings,
    'main',
    `DECLARE @last int = (SELECT MAX(propID) FROM dbo.tObjProperties);
INSERT INTO dbo.tObjProperties (propID, objectID, moduleID, typeID) VALUES ${rows.join(', ')}`,
  );
  return ids;
}

/** Returns the propID of an object, as the databases know it. */
export async function propIdOf(app: TestApp, id: string): Promise<number> {
  const [row] = await executeSql(
    app.stack.settings,
    'main',
    `SELECT propID FROM dbo.tObjProperties WHERE objectID = N'${id}'`,
  );
  return Number(row?.['propID']);
}

/** Creates a document with one registration, whose objects the batches make. Returns the path of its custom data, and the identifier. */
export async function documentWithSource(
  app: TestApp,
  kind: 'REF' | 'REF_RO',
  batches: (identifier: string, propID: number) => readonly string[],
) {
  const { document } = await createObjects(recordsAs(app, 'alice@example.org'));
  const propID = await propIdOf(app, document);
  const identifier = `s${randomUUID().slice(0, 8)}`;
  const register = `INSERT INTO dbo.tCustomData (propID, customDataIdentifier, kind) VALUES (${propID}, N'${identifier}', '${kind}')`;
  for (const batch of [...batches(identifier, propID), register])
    await executeSql(app.stack.settings, 'customization', batch);
  return { identifier, propID, path: `/v8.0/documents/${document}/custom-data` };
}
