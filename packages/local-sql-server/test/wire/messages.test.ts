/** Messages of clients and their bytes. */
import { describe, expect, test } from 'vitest';
import { readAllHeaders } from '../../src/wire/messages/all-headers.ts';
import { readFederatedAuthToken } from '../../src/wire/messages/federated-auth.ts';
import { readLogin7 } from '../../src/wire/messages/login7.ts';
import { preloginReply, readPrelogin } from '../../src/wire/messages/prelogin.ts';
import { readRpcRequest } from '../../src/wire/messages/rpc-request.ts';
import { readSqlBatch } from '../../src/wire/messages/sql-batch.ts';
import { readTransactionRequest } from '../../src/wire/messages/transaction-request.ts';
import { ProtocolError } from '../../src/wire/protocol-error.ts';
import { UnsupportedType } from '../../src/wire/types/type-table.ts';

/** Bytes from hexadecimal; `'text'` stands for that text in UTF-16. */
function bytes(written: string): Buffer {
  const hex = written
    .replace(/'([^']*)'/g, (_all, text: string) => Buffer.from(text, 'utf16le').toString('hex'))
    .replace(/\s/g, '');
  return Buffer.from(hex, 'hex');
}

/** ALL_HEADERS with the transaction descriptor 7. */
const HEADERS = '16000000 12000000 0200 0700000000000000 01000000';

describe('PRELOGIN', () => {
  const request = bytes('00 0010 0006 01 0016 0001 06 0017 0001 ff 090000000000 01 01');

  test('tells what the client says about encryption and federated authentication', () => {
    expect(readPrelogin(request)).toEqual({ encrypted: 'everything', asksFederatedAuth: true });
    expect(readPrelogin(bytes('ff'))).toEqual({ encrypted: 'nothing', asksFederatedAuth: false });
  });

  test('is answered with the encryption asked for', () => {
    for (const [encrypted, byte] of [
      ['everything', '01'],
      ['login', '00'],
      ['nothing', '02'],
    ] as const) {
      const reply = preloginReply({ encrypted, asksFederatedAuth: true }, bytes('100003e8'));
      expect(reply.toString('hex')).toBe(
        bytes(
          `00 001f 0006 01 0025 0001 02 0026 0001 03 0027 0000 04 0027 0001 06 0028 0001 ff 100003e80000 ${byte} 00 00 01`,
        ).toString('hex'),
      );
    }
  });

  test('breaks the protocol with other bytes', () => {
    for (const wire of ['', '00 0010 0006', '00 0010 0006 ff', '01 ffff 0001 ff']) {
      expect(() => readPrelogin(bytes(wire))).toThrow(ProtocolError);
    }
  });
});

describe('LOGIN7', () => {
  const fields = (extension: string) => `
    00000000 04000074 00100000 00000007 01000000 00000000 e0 03 00 10 00000000 09040000
    5e00 0100  6000 0200  6400 0200  6800 0100  6a00 0000  ${extension}  6a00 0000  6a00 0000  6a00 0100
    010203040506  6c00 0000  6c00 0000  6c00 0000  00000000
    'h' 'sa' b3a5 83a5 'a' 'd'`;

  test('has its texts by offset and length, and the password hidden', () => {
    expect(readLogin7(bytes(`${fields('6c00 0400')} 70000000 0a 01000000 01 ff`))).toEqual({
      tdsVersion: 0x74000004,
      packetSize: 4096,
      user: 'sa',
      password: 'ab',
      application: 'a',
      language: '',
      database: 'd',
      integratedSecurity: false,
      changesPassword: false,
      federatedAuth: undefined,
      utf8: true,
    });
  });

  test('may ask for integrated security or for a new password', () => {
    const wire = fields('6c00 0000').replace('e0 03 00 10', 'e0 83 00 01');
    expect(readLogin7(bytes(wire))).toMatchObject({ integratedSecurity: true, changesPassword: true });
  });

  test('may bring a token, or announce one', () => {
    const login = (feature: string) => readLogin7(bytes(`${fields('6c00 0400')} 70000000 ${feature} ff`));
    expect(login(`02 09000000 03 04000000 'ey'`).federatedAuth).toEqual({ token: 'ey' });
    expect(login('02 02000000 05 02').federatedAuth).toEqual({ token: undefined });
    expect(() => login('02 02000000 01 02')).toThrow(ProtocolError);
  });

  test('breaks the protocol where it is cut or too long', () => {
    for (const [_name, wire] of [
      ['is too short', ''],
      ['has its extension behind its end', `${fields('6c00 0400')} ff000000`],
      ['has a feature without an end', `${fields('6c00 0400')} 70000000 0a 01000000 01`],
      ['has a feature that is too long', `${fields('6c00 0400')} 70000000 0a ffffffff 01 ff`],
    ] as const) {
      expect(() => readLogin7(bytes(wire))).toThrow(ProtocolError);
    }
  });
});

test('FEDAUTH holds a token', () => {
  expect(readFederatedAuthToken(bytes(`08000000 04000000 'ey'`))).toBe('ey');
  expect(() => readFederatedAuthToken(bytes(`08000000 06000000 'ey'`))).toThrow(ProtocolError);
});

describe('ALL_HEADERS', () => {
  test.each([
    ['the transaction descriptor', HEADERS, { value: 7n, offset: 22 }],
    ['another header', '0b000000 07000000 0300 00', { value: 0n, offset: 11 }],
    ['no header', '04000000', { value: 0n, offset: 4 }],
  ])('with %s', (_name, wire, expected) => {
    expect(readAllHeaders(bytes(wire), 0)).toEqual(expected);
  });

  test('breaks the protocol with other bytes', () => {
    for (const wire of [
      '',
      '16000000',
      '16000000 00000000',
      '16000000 05000000 0200',
      '0c000000 08000000 0200 0700',
    ]) {
      expect(() => readAllHeaders(bytes(wire), 0)).toThrow(ProtocolError);
    }
  });
});

test('SQLBatch with half a character breaks the protocol', () => {
  expect(() => readSqlBatch(bytes(`${HEADERS} 'S' 00`))).toThrow(ProtocolError);
});

test('SQLBatch is text behind the headers', () => {
  expect(readSqlBatch(bytes(`${HEADERS} 'SELECT €'`))).toEqual({ descriptor: 7n, sql: 'SELECT €' });
});

describe('RPC', () => {
  test('names its procedure and its parameters', () => {
    expect(
      readRpcRequest(bytes(`${HEADERS} 0200 'pX' 0000 02 '@a' 01 2604 0405000000 00 02 2604 00`)),
    ).toEqual({
      descriptor: 7n,
      procedure: 'pX',
      parameters: [
        { name: '@a', type: { name: 'int' }, value: 5, output: true, useDefault: false },
        { name: '', type: { name: 'int' }, value: null, output: false, useDefault: true },
      ],
    });
  });

  test('calls procedures by number', () => {
    const rows = [
      [1, 'sp_cursor'],
      [10, 'sp_executesql'],
      [11, 'sp_prepare'],
      [12, 'sp_execute'],
      [13, 'sp_prepexec'],
      [15, 'sp_unprepare'],
    ] as const;
    expect(
      rows.map(([number]) => [
        number,
        readRpcRequest(bytes(`${HEADERS} ffff 0${number.toString(16)}00 0000`)).procedure,
      ]),
    ).toEqual(rows);
  });

  test('breaks the protocol where it is cut', () => {
    for (const [_name, wire] of [
      ['a procedure that has no name', 'ffff 1000 0000'],
      ['a name that ends early', `0400 'p'`],
      ['a parameter without a type', `0100 'p' 0000 00 00`],
      ['a parameter without a value', `0100 'p' 0000 00 00 2604`],
    ] as const) {
      expect(() => readRpcRequest(bytes(`${HEADERS} ${wire}`))).toThrow(ProtocolError);
    }
  });

  test('is refused with a reason', () => {
    for (const [wire, reason] of [
      [
        `0100 'p' 0000 02 '@t' 00 f3`,
        'Cannot read parameter 1 ("@t"): table-valued parameters are not supported by the local SQL server',
      ],
      [`0100 'p' 0000 02 '@t' 08 2604`, 'Cannot read parameter 1 ("@t"): encrypted values are not supported'],
      [
        `0100 'p' 0000 ff 0100 'q' 0000`,
        'several calls in one message are not supported by the local SQL server',
      ],
    ] as const) {
      expect(() => readRpcRequest(bytes(`${HEADERS} ${wire}`))).toThrow(new UnsupportedType(reason));
    }
  });
});

describe('transaction requests', () => {
  const begin = { action: 'begin', name: '', isolation: undefined };

  test.each([
    [`0500 04 02 'n'`, { ...begin, name: 'n', isolation: 'serializable' }],
    ['0500 00 00', begin],
    ['0700 00 00', { action: 'commit', name: '', next: undefined }],
    [
      `0700 00 01 02 02 'n'`,
      { action: 'commit', name: '', next: { ...begin, name: 'n', isolation: 'read committed' } },
    ],
    [`0800 02 'n' 00`, { action: 'rollback', name: 'n', next: undefined }],
    [`0900 02 's'`, { action: 'save', name: 's' }],
    ['0500 05 00', 'ISOLATION LEVEL SNAPSHOT is not supported by the local SQL server.'],
    ['0000 0000', 'Distributed transactions are not supported by the local SQL server.'],
  ])('%s', (wire, request) => {
    expect(readTransactionRequest(bytes(`${HEADERS} ${wire}`))).toEqual({ descriptor: 7n, request });
  });

  test.each(['', '0500', '0700 04 0000', '0700 00'])('%j breaks the protocol', (wire) => {
    expect(() => readTransactionRequest(bytes(`${HEADERS} ${wire}`))).toThrow(ProtocolError);
  });
});
