/** The sources of custom data, for consultants who register them. */

import { expect, test } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { documentWithSource, recordsAs } from '../../support/records.ts';

export function testCustomDataSources(app: TestApp): void {
  const alice = recordsAs(app, 'alice@example.org');

  test('GET custom-data/sources names kind and source of each identifier, in the order of the custom data', async () => {
    const path = '/v8.0/documents/document-contract/custom-data';
    const { status, json } = await alice('GET', `${path}/sources`);
    const sources = json as { identifier: string }[];
    expect(status).toBe(200);
    expect(sources.map(({ identifier }) => identifier)).toEqual(
      Object.keys((await alice('GET', path)).json as object),
    );
    expect(sources).toEqual(
      expect.arrayContaining([
        { identifier: 'remarks', kind: 'JSON', source: 'stored', name: null },
        { identifier: 'invoice', kind: 'REF', source: 'procedure', name: 'pCustomData_invoice_Get' },
        { identifier: 'parcels', kind: 'REF_RO', source: 'view', name: 'CustomData_parcels' },
      ]),
    );
  });

  test('a source that does not exist is said to be missing, and the list is still there', async () => {
    const { identifier, path } = await documentWithSource(app, 'REF', () => []);
    expect((await alice('GET', path)).status).toBe(500);
    const { status, json } = await alice('GET', `${path}/sources`);
    expect([status, json]).toEqual([200, [{ identifier, kind: 'REF', source: 'missing', name: null }]]);
  });

  test('a view without propID is named, since it is there and to be mended', async () => {
    const { identifier, path } = await documentWithSource(app, 'REF_RO', (name) => [
      `CREATE VIEW dbo.[CustomData_${name}] AS SELECT 1 AS value`,
    ]);
    const source = { identifier, kind: 'REF_RO', source: 'view', name: `CustomData_${identifier}` };
    expect((await alice('GET', `${path}/sources`)).json).toEqual([source]);
  });

  test('an object that is not there has no sources', async () => {
    expect((await alice('GET', '/v8.0/documents/nothing/custom-data/sources')).status).toBe(404);
  });
}
