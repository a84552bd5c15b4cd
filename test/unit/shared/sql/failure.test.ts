import { describe, expect, test } from 'vitest';
import { diagnose, SqlFailure } from '../../../../shared/sql/failure.ts';
import { transactionFoundOpen } from '../../../../shared/sql/transaction.ts';

/** An error as `mssql` throws it. */
function driverError(name: string, properties: Record<string, unknown> = {}): Error {
  return Object.assign(new Error('message of the driver'), { name, ...properties });
}

const caused = (code: string) =>
  driverError('ConnectionError', {
    code: 'ESOCKET',
    originalError: Object.assign(new Error(), {
      code: 'ESOCKET',
      cause: Object.assign(new Error(), { code }),
    }),
  });

const unavailable = { kind: 'unavailable', code: 'database-unavailable', retryAfter: 5 };
const busy = { kind: 'unavailable', code: 'database-busy', retryAfter: 2 };
const misconfigured = (setting: string) => ({
  kind: 'misconfigured',
  code: 'database-connection',
  facts: { setting },
});

describe('diagnose()', () => {
  test.each([
    ['an unknown host', caused('ENOTFOUND'), undefined, misconfigured('DB_SERVER'), 'never', true],
    [
      'an unknown instance',
      driverError('ConnectionError', { code: 'EINSTLOOKUP' }),
      undefined,
      misconfigured('DB_SERVER'),
      'never',
      true,
    ],
    [
      'a server without encryption',
      driverError('ConnectionError', { code: 'EENCRYPT' }),
      undefined,
      misconfigured('DB_ENCRYPT'),
      'never',
      true,
    ],
    [
      'an untrusted certificate',
      caused('DEPTH_ZERO_SELF_SIGNED_CERT'),
      undefined,
      misconfigured('DB_TRUST_SERVER_CERTIFICATE'),
      'never',
      true,
    ],
    [
      'a refused login',
      driverError('ConnectionError', { code: 'ELOGIN' }),
      18456,
      misconfigured('DB_USER'),
      'never',
      true,
    ],
    [
      'a paused database',
      driverError('ConnectionError', { code: 'ELOGIN' }),
      40613,
      unavailable,
      'later',
      true,
    ],
    [
      'a database that cannot be opened',
      driverError('ConnectionError', { code: 'ELOGIN' }),
      4060,
      unavailable,
      'later',
      true,
    ],
    ['a refused connection', caused('ECONNREFUSED'), undefined, unavailable, 'later', true],
    [
      'a slow server at sign-in',
      driverError('ConnectionError', { code: 'ETIMEOUT' }),
      undefined,
      unavailable,
      'later',
      true,
    ],
    [
      'an exhausted pool',
      new Error('Failed to acquire a connection from the pool: operation timed out'),
      undefined,
      busy,
      'later',
      false,
    ],
    [
      'a deadlock',
      driverError('RequestError', { code: 'EREQUEST', number: 1205 }),
      undefined,
      busy,
      'soon',
      false,
    ],
    [
      'a transaction that was found open, and rolled back',
      driverError('RequestError', {
        code: 'EREQUEST',
        number: 266,
        precedingErrors: [driverError('RequestError', { code: 'EREQUEST', number: transactionFoundOpen })],
      }),
      undefined,
      busy,
      'soon',
      false,
    ],
    [
      'a reconfiguration',
      driverError('RequestError', { code: 'EREQUEST', number: 40197 }),
      undefined,
      unavailable,
      'later',
      false,
    ],
    [
      'a lost connection',
      driverError('RequestError', { code: 'ESOCKET' }),
      undefined,
      unavailable,
      'later',
      false,
    ],
    [
      'a statement that takes too long',
      driverError('RequestError', { code: 'ETIMEOUT' }),
      undefined,
      busy,
      'never',
      false,
    ],
  ] as const)('knows %s', (_, error, loginNumber, expected, retry, connection) => {
    const diagnosis = diagnose(error, loginNumber, false);
    expect(diagnosis).toMatchObject({ error: expected, retry, connection });
    expect(diagnosis.error.message).not.toContain('message of the driver');
  });

  test.each([
    [
      'an exhausted pool',
      new Error('Failed to acquire a connection from the pool: operation timed out'),
      true,
    ],
    ['a refused connection', caused('ECONNREFUSED'), true],
    ['a deadlock', driverError('RequestError', { code: 'EREQUEST', number: 1205 }), true],
    ['an error of the statement', driverError('RequestError', { code: 'EREQUEST', number: 50001 }), true],
    ['a lost connection', driverError('RequestError', { code: 'ESOCKET' }), false],
    ['a statement that takes too long', driverError('RequestError', { code: 'ETIMEOUT' }), false],
    ['a reconfiguration', driverError('RequestError', { code: 'EREQUEST', number: 40197 }), false],
  ] as const)('knows whether %s changed nothing: %#', (_, error, undone) => {
    expect(diagnose(error, undefined, false).undone).toBe(undone);
  });

  test('tries a refused managed identity again, because its rights may be new', () => {
    const diagnosis = diagnose(driverError('ConnectionError', { code: 'ELOGIN' }), 18456, true);
    expect(diagnosis).toMatchObject({ error: misconfigured('DB_TRUSTED_CONNECTION'), retry: 'later' });
  });

  test('names a missing managed identity', () => {
    const error = driverError('ConnectionError', {
      code: 'EFEDAUTH',
      originalError: new AggregateError([
        driverError('ConnectionError', { code: 'EFEDAUTH' }),
        driverError('CredentialUnavailableError'),
      ]),
    });
    expect(diagnose(error, undefined, true).error).toMatchObject(misconfigured('DB_TRUSTED_CONNECTION'));
  });

  test('hands over an error of a statement with its number and procedure', () => {
    const error = driverError('RequestError', {
      code: 'EREQUEST',
      number: 50001,
      procName: 'pCustomData_invoice_Set',
    });
    expect(diagnose(error, undefined, false).error).toMatchObject({
      name: 'SqlFailure',
      number: 50001,
      procedure: 'pCustomData_invoice_Set',
    });
  });

  test.each([
    [2627, 'The duplicate key value is (alice@example.org).', ''],
    [245, "Conversion failed when converting the nvarchar value 'alice@example.org' to data type int.", ''],
    [208, "Invalid object name 'dbo.tInvoices'.", ": Invalid object name 'dbo.tInvoices'."],
  ])('lets the log have of error %d only what holds no values', (number, message, logged) => {
    const facts = { number, procName: 'pCustomData_invoice_Get', lineNumber: 4 };
    const { error } = diagnose(Object.assign(new Error(message), facts), undefined, false);
    expect(error).toMatchObject({
      message,
      logged: `SQL error ${number} in pCustomData_invoice_Get, line 4${logged}`,
    });
    expect(error.cause).toBeUndefined();
  });

  test('throws on what does not come from the driver', () => {
    const error = new TypeError('a mistake of ours');
    expect(() => diagnose(error, undefined, false)).toThrow(error);
  });
});

describe('SqlFailure', () => {
  test.each(['pCustomData_invoice_Set', 'dbo.pCustomData_invoice_Set', 'DBO.PCUSTOMDATA_INVOICE_SET'])(
    'knows the procedure that the server calls %s',
    (procedure) => {
      const failure = new SqlFailure('no', { number: 50_000, procedure });
      expect(failure.isRaisedBy('pCustomData_invoice_Set')).toBe(true);
      expect(failure.isRaisedBy('pCustomData_invoices_Set')).toBe(false);
    },
  );
});
