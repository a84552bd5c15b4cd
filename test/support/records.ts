/** Calls of the records API in tests. */

import type { CallOptions, TestApp, TestReply } from './app.ts';

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
