/** Deeds and documents: created below a case and a deed, read and changed. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { recordsAs } from '../support/records.ts';

const app = useApp();
const alice = recordsAs(app, 'alice@example.org');

describe.each([
  {
    collection: 'deeds',
    parent: 'journalized-cases/case-road',
    parentField: { journalizedCaseId: 'case-road' },
    sample: 'deed-tender',
    highest: 10,
  },
  {
    collection: 'documents',
    parent: 'deeds/deed-tender',
    parentField: { deedId: 'deed-tender' },
    sample: 'document-contract',
    highest: 30,
  },
])('$collection', ({ collection, parent, parentField, sample, highest }) => {
  test('are created below their parent and read back', async () => {
    const last = `bkStr${highest}`;
    const created = await alice('POST', `/v8.0/${parent}/${collection}`, {
      body: { title: 'New', [last]: 'x' },
    });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({ ...parentField, title: 'New', [last]: 'x' });
    const path = (created.headers.get('location') ?? '').slice(app.base.length);
    expect((await alice('GET', path)).json).toEqual(created.json);
  });

  test('are changed by merge', async () => {
    const reply = await alice('PATCH', `/v8.0/${collection}/${sample}`, {
      body: { bkInt01: 11, description: null },
    });
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ id: sample, bkInt01: 11, description: null });
  });

  test('have as many bk-fields as their kind has', async () => {
    const reply = await alice('PATCH', `/v8.0/${collection}/${sample}`, {
      body: { [`bkStr${highest + 1}`]: 'x' },
    });
    expect(reply.status).toBe(400);
  });

  test('answer 404 where there is none', async () => {
    expect((await alice('GET', `/v8.0/${collection}/case-road`)).status).toBe(404);
  });
});
