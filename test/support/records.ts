/** Calls of the records API in tests. */

import { randomUUID } from 'node:crypto';
import type { CallOptions, TestApp, TestReply } from './app.ts';
import { executeSql } from './execute-sql.ts';

/** Calls the records API as a user; the version is part of the path: `/v7/diaries`. */
export function recordsAs(app: TestApp, email: string) {
  return (method: string, path: string, options: CallOptions = {}): Promise<TestReply> =>
    app.call(method, path, { token: app.token(email), ...options });
}

/** Creates a diary, a case, a deed and a document of a test's own, and gives their identifiers. */
export async function createObjects(call: ReturnType<typeof recordsAs>) {
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
  return { identifier, path: `/v8.0/documents/${document}/custom-data` };
}
