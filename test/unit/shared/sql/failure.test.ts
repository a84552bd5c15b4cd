import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { classifyFailure } from '../../../../shared/sql/classify-failure.ts';
import { SqlFailure } from '../../../../shared/sql/failure.ts';
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
const busy = { kind: 'overloaded', code: 'database-busy', retryAfter: 2 };
const misconfigured = (setting: string) => ({
  kind: 'misconfigured',
  code: 'database-connection',
  facts: { setting },
});

describe('classifyFailure()', () => {
  const foundOpen = driverError('RequestError', { code: 'EREQUEST', number: transactionFoundOpen });
  const rolledBack = { code: 'EREQUEST', number: 266, precedingErrors: [foundOpen] };

  test.each([
    [
      'a pool that could not connect in time',
      new Error('Failed to acquire a connection from the pool: operation timed out'),
      ...([unavailable, 'longDelay', true] as const),
    ],
    ['a pool that was closed meanwhile', new Error('aborted'), unavailable, 'longDelay', true],
    ['a deadlock', driverError('RequestError', { code: 'EREQUEST', number: 1205 }), busy, 'shortDelay', true],
    [
      'an open transaction that was rolled back',
      driverError('RequestError', rolledBack),
      busy,
      'shortDelay',
      true,
    ],
    [
      'an open transaction behind another error',
      driverError('RequestError', {
        ...rolledBack,
        precedingErrors: [driverError('RequestError', { number: 8153 }), foundOpen],
      }),
      busy,
      'shortDelay',
      true,
    ],
    ['an open transaction of which nothing else is told', foundOpen, busy, 'shortDelay', true],
    ['a lost connection', driverError('RequestError', { code: 'ESOCKET' }), unavailable, 'longDelay', false],
    [
      'a full log',
      driverError('RequestError', { code: 'EREQUEST', number: 9002 }),
      { kind: 'unavailable', code: 'database-full', retryAfter: 60 },
      'never',
      true,
    ],
    ['a slow sign-in', driverError('ConnectionError', { code: 'ETIMEOUT' }), unavailable, 'longDelay', true],
  ] as const)('classifies %s, without the message of the driver', (_, error, expected, retry, notApplied) => {
    const classification = classifyFailure(error, undefined, false);
    expect(classification).toMatchObject({ error: expected, retry, notApplied });
    expect(classification.error.message).not.toContain('message of the driver');
  });

  test('tries a refused managed identity again, because its rights may be new', () => {
    const classification = classifyFailure(driverError('ConnectionError', { code: 'ELOGIN' }), 18456, true);
    expect(classification).toMatchObject({
      error: misconfigured('DB_TRUSTED_CONNECTION'),
      retry: 'longDelay',
    });
  });

  test('names a missing managed identity', () => {
    const error = driverError('ConnectionError', {
      code: 'EFEDAUTH',
      originalError: new AggregateError([
        driverError('ConnectionError', { code: 'EFEDAUTH' }),
        driverError('CredentialUnavailableError'),
      ]),
    });
    expect(classifyFailure(error, undefined, true).error).toMatchObject(
      misconfigured('DB_TRUSTED_CONNECTION'),
    );
  });

  test('hands over an error of a statement with its number and procedure', () => {
    const error = driverError('RequestError', {
      code: 'EREQUEST',
      number: 50001,
      procName: 'pCustomData_invoice_Set',
    });
    expect(classifyFailure(error, undefined, false).error).toMatchObject({
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
    const { error } = classifyFailure(Object.assign(new Error(message), facts), undefined, false);
    expect(error).toMatchObject({
      message,
      logged: `SQL error ${number} in pCustomData_invoice_Get, line 4${logged}`,
    });
    expect(error.cause).toBeUndefined();
  });

  test('throws on what does not come from the driver', () => {
    const error = new TypeError('a mistake of ours');
    expect(() => classifyFailure(error, undefined, false)).toThrow(error);
  });
});

/** Every number that SQL Server itself uses, and the first ones that procedures raise. */
const allNumbers = Array.from({ length: 60_000 }, (_, index) => index + 1);

describe('the numbers of errors', () => {
  // Hundreds of thousands of errors, whose unread stacks are most of the cost of these tests.
  const { stackTraceLimit } = Error;
  beforeAll(() => {
    Error.stackTraceLimit = 0;
  });
  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  const numberedBy = (classify: (number: number) => string) => {
    const groups = Map.groupBy(allNumbers, classify);
    return (name: string) => groups.get(name) ?? [];
  };
  const classify = (error: Error, loginNumber: number | undefined, trusted = false) => {
    const { error: found, retry, notApplied, connection } = classifyFailure(error, loginNumber, trusted);
    const { setting = '' } = 'facts' in found ? (found.facts as { setting?: string }) : {};
    const code = 'code' in found ? found.code : found.name;
    return [code, setting, retry, notApplied ? 'notApplied' : '', connection ? 'connection' : '']
      .filter(Boolean)
      .join(' ');
  };

  test('of a statement mean a repetition, a pause, or an error of the statement', () => {
    const numbers = numberedBy((number) =>
      classify(driverError('RequestError', { code: 'EREQUEST', number }), undefined),
    );
    expect(numbers('database-busy shortDelay notApplied')).toEqual([1204, 1205, 1222, 3935, 3960]);
    expect(numbers('database-unavailable longDelay')).toEqual([
      615, 921, 926, 997, 3966, 4060, 4221, 8628, 8645, 8651, 10922, 10928, 10929, 10936, 14355, 17197, 18401,
      20041, 40143, 40197, 40501, 40540, 40613, 41301, 41302, 41305, 41325, 41839, 42109, 49918, 49919, 49920,
    ]);
    expect(numbers('SqlFailure never notApplied')).toHaveLength(60_000 - 5 - 32 - 6);
    expect(numbers('database-full never notApplied')).toEqual([1101, 1105, 1132, 5149, 9002, 40544]);
  });

  test.each([
    [false, 'database-connection DB_USER never notApplied connection'],
    [true, 'database-connection DB_TRUSTED_CONNECTION longDelay notApplied connection'],
  ])('of a login (trusted: %s) mean a refusal, or a server that is away', (trusted, refused) => {
    const numbers = numberedBy((number) =>
      classify(driverError('ConnectionError', { code: 'ELOGIN' }), number, trusted),
    );
    expect(numbers(refused)).toEqual([18452, 18456, 18470, 18486, 18487, 18488]);
    expect(numbers('database-unavailable longDelay notApplied connection')).toHaveLength(60_000 - 6);
  });

  test('of a login give a hint where the database may be misspelled', () => {
    const hinted = allNumbers.filter((number) => {
      const { error } = classifyFailure(driverError('ConnectionError', { code: 'ELOGIN' }), number, false);
      return 'hint' in error && error.hint !== undefined;
    });
    expect(hinted).toEqual([4060]);
  });

  test('of a statement let the log have the message where it names objects only', () => {
    const told = allNumbers.filter((number) =>
      new SqlFailure('its message', { number }).logged.includes('its message'),
    );
    expect(told).toEqual([201, 207, 208, 229, 266, 2812, 8144, 8145, 40517]);
  });
});

describe('the codes of the driver', () => {
  const lost = { error: unavailable, retry: 'longDelay', notApplied: false, connection: false };

  test.each([
    'ESOCKET',
    'ECLOSE',
    'ECONNCLOSED',
    'ENOTOPEN',
    'EINVALIDSTATE',
    'ECANCEL',
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENETRESET',
  ])('%s of a statement is a lost connection', (code) => {
    expect(classifyFailure(driverError('RequestError', { code }), undefined, false)).toMatchObject(lost);
  });

  test('ETIMEOUT of a statement is a server that is too busy', () => {
    expect(
      classifyFailure(driverError('RequestError', { code: 'ETIMEOUT' }), undefined, false),
    ).toMatchObject({ error: busy, retry: 'never', notApplied: false, connection: false });
  });

  test('ETIMEOUT of a statement that the server does not even end is a server that is away', () => {
    const error = Object.assign(new Error('Failed to cancel request in 1000ms'), {
      name: 'RequestError',
      code: 'ETIMEOUT',
    });
    expect(classifyFailure(error, undefined, false)).toMatchObject({
      error: unavailable,
      retry: 'never',
      notApplied: false,
      connection: true,
    });
  });

  test.each(['EREQUEST', 'EARGS', 'EINJECT', 'UNKNOWN', undefined])(
    '%s of a statement is nothing that passes',
    (code) => {
      const error = driverError('RequestError', { code });
      expect(() => classifyFailure(error, undefined, false)).toThrow(error);
    },
  );

  const certificate = 'no known authority has signed the certificate of the server';

  test.each([
    ['ENOTFOUND', 'DB_SERVER', 'no server of that name is known'],
    ['EINSTLOOKUP', 'DB_SERVER', 'the server knows no instance of that name'],
    ['EENCRYPT', 'DB_ENCRYPT', 'the server does not agree on encryption'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'DB_TRUST_SERVER_CERTIFICATE', certificate],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'DB_TRUST_SERVER_CERTIFICATE', certificate],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'DB_TRUST_SERVER_CERTIFICATE', certificate],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'DB_SERVER', 'the certificate of the server is for another name'],
    [
      'CredentialUnavailableError',
      'DB_TRUSTED_CONNECTION',
      'there is no token for the managed identity of this app',
    ],
  ])('%s of a connection names the setting %s', (code, setting, found) => {
    expect(classifyFailure(caused(code), undefined, false)).toMatchObject({
      error: {
        ...misconfigured(setting),
        message: `Cannot connect to the database: ${found}; see the setting ${setting}.`,
      },
      retry: 'never',
      notApplied: true,
      connection: true,
    });
  });

  test.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEOUT', 'ESOCKET', 'EFEDAUTH', 'ELOGIN'])(
    '%s of a connection is a server that is away',
    (code) => {
      expect(classifyFailure(driverError('ConnectionError', { code }), undefined, false)).toMatchObject({
        error: unavailable,
        retry: 'longDelay',
        notApplied: true,
        connection: true,
      });
    },
  );
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
