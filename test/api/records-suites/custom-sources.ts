/** Custom data behind custom procedures and views: REF is written through its procedure, REF_RO is not written. */

import { describe, expect, test } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { documentWithSource, recordsAs } from '../../support/records.ts';

export function testCustomSources(app: TestApp): void {
  const alice = recordsAs(app, 'alice@example.org');
  const bjorn = recordsAs(app, 'bjorn@example.org');

  const contract = '/v7/documents/document-contract/custom-data';
  const letter = '/v7/documents/document-letter/custom-data';

  describe('PUT of a REF value', () => {
    test('runs its procedure, which may keep a history', async () => {
      const invoice = { number: '2026-1', amount: 99.95, dueDate: null, paid: true };
      const { json: before } = await alice('GET', letter);
      expect((await bjorn('PUT', letter, { body: { invoice } })).status).toBe(200);
      const { json } = await alice('GET', letter);
      expect(json).toMatchObject({ invoice });
      const lengths = [before, json].map(
        (item) => (item as { invoiceHistory: unknown[] }).invoiceHistory.length,
      );
      expect(lengths[1]).toBe((lengths[0] ?? 0) + 1);
      expect((json as { invoiceHistory: object[] }).invoiceHistory.at(-1)).toMatchObject({
        number: '2026-1',
        changedBy: 3,
      });
    });

    test('runs it once per element of an array, and leaves the registration when the value is not sent', async () => {
      const path = '/v7/journalized-cases/case-road/custom-data';
      const { json } = await alice('GET', path);
      const participants = [
        { name: 'Archive', role: null },
        { name: 'Zoo', role: 'neighbour' },
      ];
      expect((await alice('PUT', path, { body: { ...(json as object), participants } })).status).toBe(200);
      expect((await alice('GET', path)).json).toMatchObject({
        participants: expect.arrayContaining(participants),
      });
      await alice('PUT', path, { body: { budget: 1 } });
      expect((await alice('GET', path)).json).toMatchObject({
        budget: 1,
        participants: expect.arrayContaining(participants),
      });
    });

    test('is 403 with its message when a procedure forbids it, like the reading', async () => {
      const { identifier, path } = await documentWithSource(app, 'REF', (name) => [
        `CREATE PROCEDURE dbo.[pCustomData_${name}_Get] @propID int, @usrPropID int, @langID int AS
IF @usrPropID = 3 THROW 50403, N'Invoices are for the accountants.', 1; SELECT 1 AS a`,
        `CREATE PROCEDURE dbo.[pCustomData_${name}_Set] @propID int, @usrPropID int, @pa int AS
IF @usrPropID = 3 THROW 50403, N'Invoices are for the accountants.', 1; RETURN -1`,
      ]);
      const forbidden = (detail: string) => ({
        status: 403,
        json: { code: 'custom-data-forbidden', detail },
      });
      const reason = 'Invoices are for the accountants.';
      for (const there of [path, `${path}/${identifier}`])
        expect(await bjorn('GET', there)).toMatchObject(
          forbidden(`Cannot read the custom data "${identifier}": ${reason}`),
        );
      expect(await bjorn('PUT', path, { body: { [identifier]: { a: 2 } } })).toMatchObject(
        forbidden(`Cannot store custom data: ${reason}`),
      );
      expect((await bjorn('PUT', path, { body: { other: 1 } })).status).toBe(200);
      expect((await alice('GET', `${path}/${identifier}`)).text).toBe('{"a":1}');
      // The return code of a procedure means nothing.
      expect((await alice('PUT', path, { body: { [identifier]: { a: 2 } } })).status).toBe(200);
    });

    test('changes nothing at all when the procedure refuses', async () => {
      const before = await alice('GET', contract);
      const invoice = { number: 'x', amount: -1, dueDate: null, paid: false };
      expect(await alice('PUT', contract, { body: { remarks: 'changed', invoice } })).toMatchObject({
        status: 422,
        json: {
          code: 'custom-data-refused',
          detail: 'Cannot store custom data: The amount of an invoice must not be negative.',
          errors: [{ pointer: '/invoice' }],
        },
      });
      expect((await alice('GET', contract)).text).toBe(before.text);
    });

    test.each([
      [
        'a property without a parameter',
        { number: 'x', amount: 1, dueDate: null, paid: true, colour: 'red' },
        '/invoice/colour',
      ],
      ['a parameter without a property', { number: 'x', amount: 1, dueDate: null }, '/invoice/paid'],
      ['a value of another type', { number: 'x', amount: '1', dueDate: null, paid: true }, '/invoice/amount'],
      [
        'a value that is too long',
        { number: 'x'.repeat(41), amount: 1, dueDate: null, paid: true },
        '/invoice/number',
      ],
      [
        'a value that has too many decimals',
        { number: 'x', amount: 1.005, dueDate: null, paid: true },
        '/invoice/amount',
      ],
      [
        'a date that does not exist',
        { number: 'x', amount: 1, dueDate: '2026-13-01', paid: true },
        '/invoice/dueDate',
      ],
      ['a scalar', 5, '/invoice'],
    ])('names %s', async (_, invoice, pointer) => {
      expect(await alice('PUT', letter, { body: { invoice } })).toMatchObject({
        status: 400,
        json: { code: 'invalid-body', errors: [{ pointer }] },
      });
    });

    test('answers 400 to a value that only the server can refuse', async () => {
      expect(
        await alice('PUT', letter, {
          body: { invoice: { number: null, amount: 1, dueDate: null, paid: true } },
        }),
      ).toMatchObject({
        status: 400,
        json: { code: 'custom-data-value' },
      });
    });
  });

  describe('PUT of a REF_RO value', () => {
    test('is accepted when nothing changed, so that GET, edit, PUT works', async () => {
      const { json } = await alice('GET', contract);
      expect(
        (await alice('PUT', contract, { body: { ...(json as object), remarks: 'edited' } })).status,
      ).toBe(200);
      expect((await alice('GET', contract)).json).toMatchObject({ remarks: 'edited' });
    });

    test('is refused when it differs, and nothing is written', async () => {
      const before = await alice('GET', contract);
      expect(await alice('PUT', contract, { body: { remarks: 'other', parcels: [] } })).toMatchObject({
        status: 422,
        json: { code: 'custom-data-read-only', errors: [{ pointer: '/parcels' }] },
      });
      expect((await alice('GET', contract)).text).toBe(before.text);
    });
  });

  /** A table of rows with a value each, which `_Set` adds to and the view shows. */
  const rowsOfValues = (identifier: string) => [
    `CREATE TABLE dbo.[rows_${identifier}] (propID int NOT NULL, value int NOT NULL)`,
    `CREATE PROCEDURE dbo.[pCustomData_${identifier}_Set] @propID int, @usrPropID int, @pvalue int AS
INSERT INTO dbo.[rows_${identifier}] (propID, value) VALUES (@propID, @pvalue)`,
    `CREATE VIEW dbo.[CustomData_${identifier}] AS SELECT propID, value FROM dbo.[rows_${identifier}]`,
  ];

  describe('a REF without any row', () => {
    const empty = () => documentWithSource(app, 'REF', rowsOfValues);

    test('is null, and what GET gives can be sent back', async () => {
      const { identifier, path } = await empty();
      const { text } = await alice('GET', path);
      expect(text).toBe(`{"${identifier}":null}`);
      expect((await alice('PUT', path, { body: text })).status).toBe(200);
      expect((await alice('GET', path)).text).toBe(text);
    });

    test.each(['null', '[]', ' [ ] '])('takes %s, which changes nothing', async (value) => {
      const { identifier, path } = await empty();
      expect((await alice('PUT', path, { body: `{"json":1,"${identifier}":${value}}` })).status).toBe(200);
      expect((await alice('GET', path)).json).toEqual({ json: 1, [identifier]: null });
    });

    test.each(['null', '[]'])('with rows refuses %s, and keeps everything', async (value) => {
      const { identifier, path } = await empty();
      await alice('PUT', path, { body: { [identifier]: { value: 1 } } });
      expect(await alice('PUT', path, { body: `{"json":1,"${identifier}":${value}}` })).toMatchObject({
        status: 422,
        json: {
          code: 'custom-data-read-only',
          hint: 'Leave these properties out, or send them as they were read.',
          errors: [
            {
              pointer: `/${identifier}`,
              detail: `cannot be removed: a procedure pCustomData_${identifier}_Set with the parameter @json would get the null or [] that is sent, and could`,
            },
          ],
        },
      });
      expect((await alice('GET', path)).json).toEqual({ [identifier]: { value: 1 } });
    });
  });

  describe('a REF_RO without any row', () => {
    test.each(['null', '[]'])('is an empty array, and takes %s', async (value) => {
      const { identifier, path } = await documentWithSource(app, 'REF_RO', rowsOfValues);
      expect((await alice('GET', path)).text).toBe(`{"${identifier}":[]}`);
      expect((await alice('PUT', path, { body: `{"${identifier}":${value}}` })).status).toBe(200);
    });

    test.each(['{}', '[{}]', '0', '""', 'false'])('refuses %s', async (value) => {
      const { identifier, path } = await documentWithSource(app, 'REF_RO', rowsOfValues);
      expect(await alice('PUT', path, { body: `{"${identifier}":${value}}` })).toMatchObject({
        status: 422,
        json: { code: 'custom-data-read-only' },
      });
    });
  });

  describe('a _Set procedure', () => {
    test.each(['@langID', '@LangId', '@LANGID'])(
      'that takes %s gets the language of the caller',
      async (name) => {
        const { identifier, path } = await documentWithSource(app, 'REF', (source) => [
          `CREATE TABLE dbo.[rows_${source}] (propID int NOT NULL, value int NOT NULL, usrPropID int NOT NULL, spoken int NOT NULL)`,
          `CREATE PROCEDURE dbo.[pCustomData_${source}_Set] @propID int, @usrPropID int, ${name} int, @pvalue int AS
INSERT INTO dbo.[rows_${source}] (propID, value, usrPropID, spoken) VALUES (@propID, @pvalue, @usrPropID, ${name})`,
          `CREATE VIEW dbo.[CustomData_${source}] AS SELECT * FROM dbo.[rows_${source}]`,
        ]);
        expect((await bjorn('PUT', path, { body: { [identifier]: { value: 7 } } })).status).toBe(200);
        expect((await alice('GET', path)).json).toEqual({
          [identifier]: { value: 7, usrPropID: 3, spoken: 1053 },
        });
      },
    );

    test('takes 2,000 values in one PUT, and one more is refused before anything is stored', async () => {
      const names = Array.from({ length: 100 }, (_, index) => `v${index}`);
      const { identifier, path } = await documentWithSource(app, 'REF', (source) => [
        `CREATE TABLE dbo.[rows_${source}] (propID int NOT NULL, value int NULL)`,
        `CREATE PROCEDURE dbo.[pCustomData_${source}_Set] @propID int, @usrPropID int, ${names.map((name) => `@p${name} int = NULL`).join(', ')} AS
INSERT INTO dbo.[rows_${source}] (propID, value) VALUES (@propID, @pv99)`,
        `CREATE VIEW dbo.[CustomData_${source}] AS SELECT propID, COUNT(value) AS count FROM dbo.[rows_${source}] GROUP BY propID`,
      ]);
      const rows = Array(20).fill(Object.fromEntries(names.map((name) => [name, 7])));
      const put = (value: readonly object[]) => alice('PUT', path, { body: { [identifier]: value } });
      expect(await put([...rows, { v0: 7 }])).toMatchObject({
        status: 413,
        json: { code: 'too-many-values' },
      });
      expect((await alice('GET', path)).json).toEqual({ [identifier]: null });
      expect((await put(rows)).status).toBe(200);
      expect((await alice('GET', path)).json).toEqual({ [identifier]: { count: 20 } });
    });

    test('that does not exist is named', async () => {
      const { identifier, path } = await documentWithSource(app, 'REF', (source) => [
        `CREATE VIEW dbo.[CustomData_${source}] AS SELECT 1 AS propID, 1 AS value`,
      ]);
      expect(await alice('PUT', path, { body: { [identifier]: { value: 7 } } })).toMatchObject({
        status: 500,
        json: {
          code: 'custom-data-source-missing',
          detail: `Cannot store the custom data "${identifier}": the procedure pCustomData_${identifier}_Set does not exist.`,
          hint: 'Create it in the customization database, give the user of the service the right to execute it, or register the identifier as REF_RO.',
        },
      });
    });

    const insert = (source: string) =>
      `INSERT INTO dbo.[rows_${source}] (propID, value) VALUES (@propID, @pvalue)`;

    test.each([
      ['a primary key', 2627, 'value int NOT NULL PRIMARY KEY', ''],
      ['a unique index', 2601, 'value int NOT NULL', 'CREATE UNIQUE INDEX [one] ON dbo.[TABLE] (value)'],
      ['a constraint', 547, 'value int NOT NULL CHECK (value < 100)', ''],
    ])('that violates %s answers 409, and nothing is stored', async (_, number, column, more) => {
      const { identifier, path } = await documentWithSource(app, 'REF', (source) => [
        `CREATE TABLE dbo.[rows_${source}] (propID int NOT NULL, ${column})`,
        `CREATE PROCEDURE dbo.[pCustomData_${source}_Set] @propID int, @usrPropID int, @pvalue int AS ${insert(source)}`,
        `CREATE VIEW dbo.[CustomData_${source}] AS SELECT propID, value FROM dbo.[rows_${source}]`,
        ...(more === '' ? [] : [more.replace('TABLE', `rows_${source}`)]),
      ]);
      const twice = number === 547 ? [{ value: 1 }, { value: 777 }] : [{ value: 777 }, { value: 777 }];
      const reply = await alice('PUT', path, { body: { json: 1, [identifier]: twice } });
      expect({ status: reply.status, json: reply.json }).toEqual({
        status: 409,
        json: {
          type: 'urn:problem:custom-data-conflict',
          title: 'Conflict',
          status: 409,
          code: 'custom-data-conflict',
          detail: `Cannot store custom data: pCustomData_${identifier}_Set failed with SQL error ${number}.`,
          errors: [{ pointer: `/${identifier}`, detail: 'was rejected by its procedure' }],
          instance: expect.any(String),
        },
      });
      expect((await alice('GET', path)).json).toEqual({ [identifier]: null });
    });
  });
}
