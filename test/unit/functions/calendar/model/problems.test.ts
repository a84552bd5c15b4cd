import { describe, expect, test } from 'vitest';
import { forbiddenContext, notAllowed, readOnly } from '../../../../../functions/calendar/model/refusals.ts';

describe('notAllowed()', () => {
  test.each([
    ['somebody who is not signed in', {}, 'not-signed-in', 'Cannot write: you are not signed in.'],
    ['others', { subject: 'u' }, 'rest_forbidden', 'Cannot write: you do not have the right to.'],
  ] as const)('tells %s apart, with the facts of the record', (_, caller, code, message) => {
    const error = notAllowed({ role: 'reader', ...caller }, 'write', readOnly);
    expect({ ...error, message: error.message }).toMatchObject({ code, message, facts: { readOnly: true } });
  });
});

describe('forbiddenContext()', () => {
  test.each([
    ['somebody who is not signed in', {}, 'not-signed-in-to-edit', 'unauthenticated'],
    ['others', { subject: 'u' }, 'rest_forbidden_context', 'forbidden'],
  ] as const)('tells %s apart', (_, caller, code, kind) => {
    expect(forbiddenContext({ role: 'reader', ...caller })).toMatchObject({ code, kind });
  });
});
