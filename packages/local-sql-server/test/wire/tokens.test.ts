/** Tokens and their bytes. */
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../src/wire/byte-writer.ts';
import { writeDone } from '../../src/wire/tokens/done.ts';
import {
  writeCollationChange,
  writeReset,
  writeTextChange,
  writeTransactionChange,
} from '../../src/wire/tokens/env-change.ts';
import { writeFeatureExtAck } from '../../src/wire/tokens/feature-ext-ack.ts';
import { writeFedAuthInfo } from '../../src/wire/tokens/fed-auth-info.ts';
import { writeLoginAck } from '../../src/wire/tokens/login-ack.ts';
import { writeMessage } from '../../src/wire/tokens/message.ts';
import { writeColumns, writeRow } from '../../src/wire/tokens/result-set.ts';
import { writeReturnStatus } from '../../src/wire/tokens/return-status.ts';
import { writeReturnValue } from '../../src/wire/tokens/return-value.ts';

/** Each token, and its bytes; `'text'` stands for that text in UTF-16. */
const CASES: [string, (out: ByteWriter) => void, string][] = [
  ['DONE', (out) => writeDone(out, { token: 'done' }), 'fd 0000 0000 0000000000000000'],
  [
    'DONE of a SELECT with a count, more to follow',
    (out) => writeDone(out, { token: 'done', more: true, count: 258, select: true }),
    'fd 1100 c100 0201000000000000',
  ],
  [
    'DONE of a statement that failed in a transaction',
    (out) => writeDone(out, { token: 'done', failed: true, inTransaction: true }),
    'fd 0600 0000 0000000000000000',
  ],
  [
    'DONE that acknowledges an attention',
    (out) => writeDone(out, { token: 'done', attention: true }),
    'fd 2000 0000 0000000000000000',
  ],
  ['DONEPROC', (out) => writeDone(out, { token: 'doneProc' }), 'fe 0000 0000 0000000000000000'],
  [
    'DONEINPROC with a count of 0',
    (out) => writeDone(out, { token: 'doneInProc', more: true, count: 0 }),
    'ff 1100 0000 0000000000000000',
  ],
  [
    'ERROR',
    (out) =>
      writeMessage(out, { number: 50001, state: 2, class: 16, message: 'no', procedure: 'p', line: 3 }),
    `aa 1e00 51c30000 02 10 0200 'no' 05 'local' 01 'p' 03000000`,
  ],
  [
    'INFO',
    (out) => writeMessage(out, { number: 0, state: 1, class: 10, message: 'é', line: 1 }),
    `ab 1a00 00000000 01 0a 0100 'é' 05 'local' 00 01000000`,
  ],
  [
    'ENVCHANGE of the database',
    (out) => writeTextChange(out, 'database', 'b', 'a'),
    `e3 0700 01 01 'b' 01 'a'`,
  ],
  [
    'ENVCHANGE of the packet size',
    (out) => writeTextChange(out, 'packetSize', '8', ''),
    `e3 0500 04 01 '8' 00`,
  ],
  [
    'ENVCHANGE of the collation',
    (out) => writeCollationChange(out, Buffer.from('0904d00034', 'hex')),
    'e3 0800 07 05 0904d00034 00',
  ],
  [
    'ENVCHANGE of a begin',
    (out) => writeTransactionChange(out, 'begin', 7n),
    'e3 0b00 08 08 0700000000000000 00',
  ],
  [
    'ENVCHANGE of a commit',
    (out) => writeTransactionChange(out, 'commit', 7n),
    'e3 0b00 09 00 08 0700000000000000',
  ],
  [
    'ENVCHANGE of a rollback',
    (out) => writeTransactionChange(out, 'rollback', 7n),
    'e3 0b00 0a 00 08 0700000000000000',
  ],
  ['ENVCHANGE of a reset', writeReset, 'e3 0300 12 00 00'],
  ['LOGINACK', writeLoginAck, `ad 3200 01 74000004 14 'Microsoft SQL Server' 100003e8`],
  [
    'FEATUREEXTACK of both features',
    (out) => writeFeatureExtAck(out, { federatedAuth: true, utf8: true }),
    'ae 02 00000000 0a 01000000 01 ff',
  ],
  ['no FEATUREEXTACK', (out) => writeFeatureExtAck(out, { federatedAuth: false, utf8: false }), ''],
  [
    'FEDAUTHINFO',
    (out) => writeFedAuthInfo(out, 'ab', 'c'),
    `ee 1c000000 02000000 01 04000000 16000000 02 02000000 1a000000 'ab' 'c'`,
  ],
  ['RETURNSTATUS', (out) => writeReturnStatus(out, -6), '79 faffffff'],
  [
    'RETURNVALUE',
    (out) => writeReturnValue(out, { ordinal: 2, name: '@n', type: { name: 'int' }, value: 1 }),
    `ac 0200 02 '@n' 01 00000000 0100 2604 0401000000`,
  ],
  [
    'COLMETADATA and ROW',
    (out) => {
      const encoders = writeColumns(out, [
        { name: 'id', type: { name: 'int' }, nullable: false, identity: true },
        { name: '', type: { name: 'bit' }, nullable: true },
      ]);
      writeRow(out, encoders, [1, null]);
    },
    `81 0200 00000000 1800 38 02 'id' 00000000 0900 6801 00 d1 01000000 00`,
  ],
];

describe('a token and its bytes (MS-TDS 2.2.7)', () => {
  test.each(CASES)('%s', (_name, write, expected) => {
    const out = new ByteWriter(1);
    write(out);
    expect(out.view().toString('hex')).toBe(hexOf(expected));
  });

  test('a row must have as many values as there are columns', () => {
    expect(() => writeRow(new ByteWriter(), [], [1])).toThrow(
      'Cannot encode a row of 1 values under 0 columns',
    );
  });

  test('texts that are too long for their length are cut', () => {
    const out = new ByteWriter();
    writeMessage(out, {
      number: 1,
      state: 1,
      class: 16,
      message: 'x'.repeat(70_000),
      procedure: 'p'.repeat(300),
      line: 1,
    });
    expect(out.length).toBe(3 + 6 + 2 + 2 * 4000 + 1 + 2 * 5 + 1 + 2 * 255 + 4);
  });
});

function hexOf(written: string): string {
  return written
    .replace(/'([^']*)'/g, (_all, text: string) => Buffer.from(text, 'utf16le').toString('hex'))
    .replaceAll(' ', '');
}
