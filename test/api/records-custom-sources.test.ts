/** Custom data behind custom procedures and views: REF is written through its procedure, REF_RO is not written. */

import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { recordsAs } from '../support/records.ts';

const app = useApp();
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
    const lengths = [before, json].map((one) => (one as { invoiceHistory: unknown[] }).invoiceHistory.length);
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

  test('changes nothing at all when the procedure refuses', async () => {
    const before = await alice('GET', contract);
    const invoice = { number: 'x', amount: -1, dueDate: null, paid: false };
    const reply = await alice('PUT', contract, { body: { remarks: 'changed', invoice } });
    expect({ status: reply.status, json: reply.json }).toMatchObject({
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
    const reply = await alice('PUT', letter, { body: { invoice } });
    expect({ status: reply.status, json: reply.json }).toMatchObject({
      status: 400,
      json: { code: 'invalid-body', errors: [{ pointer }] },
    });
  });

  test('answers 400 to a value that only the server can refuse', async () => {
    const reply = await alice('PUT', letter, {
      body: { invoice: { number: null, amount: 1, dueDate: null, paid: true } },
    });
    expect({ status: reply.status, json: reply.json }).toMatchObject({
      status: 400,
      json: { code: 'custom-data-value' },
    });
  });
});

describe('PUT of a REF_RO value', () => {
  test('is accepted when nothing changed, so that GET, edit, PUT works', async () => {
    const { json } = await alice('GET', contract);
    expect((await alice('PUT', contract, { body: { ...(json as object), remarks: 'edited' } })).status).toBe(
      200,
    );
    expect((await alice('GET', contract)).json).toMatchObject({ remarks: 'edited' });
  });

  test('is refused when it differs, and nothing is written', async () => {
    const before = await alice('GET', contract);
    const reply = await alice('PUT', contract, { body: { remarks: 'other', parcels: [] } });
    expect({ status: reply.status, json: reply.json }).toMatchObject({
      status: 422,
      json: { code: 'custom-data-read-only', errors: [{ pointer: '/parcels' }] },
    });
    expect((await alice('GET', contract)).text).toBe(before.text);
  });
});
