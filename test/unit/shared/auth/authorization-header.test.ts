import { describe, expect, test } from 'vitest';
import { basicCredentials, bearerToken } from '../../../../shared/auth/caller.ts';
import { invalidToken, refusalOf } from '../../../support/refusal.ts';

const refusalFor = (header: string | null) => refusalOf((async () => bearerToken(header))());

describe('bearerToken()', () => {
  test('takes the token, however the scheme is written', () => {
    for (const header of ['Bearer a.b.c', 'bearer a.b.c', 'BEARER   a.b.c', ' Bearer a.b.c ']) {
      expect(bearerToken(header), header).toBe('a.b.c');
    }
  });

  test('finds no bearer token without the scheme, which is no error of the request', async () => {
    for (const header of [null, '', ' ', 'Basic YTpi', 'a.b.c', 'Bearertoken', 'Bearer\ta.b.c']) {
      expect(await refusalFor(header), String(header)).toEqual({
        kind: 'unauthenticated',
        code: 'credentials-missing',
        challenge: {},
      });
    }
  });

  test('calls other headers malformed', async () => {
    for (const [header, description] of [
      ['Bearer a.b.c, Bearer d.e.f', 'more than one Authorization header was sent'],
      ['Basic YTpi, Bearer a.b.c', 'more than one Authorization header was sent'],
      ['Bearer a.b.c,', 'more than one Authorization header was sent'],
      ['Bearer', 'the Authorization header is not one scheme and one token'],
      ['Bearer ', 'the Authorization header is not one scheme and one token'],
      ['Bearer a.b.c d.e.f', 'the Authorization header is not one scheme and one token'],
      ['Bearer Bearer a.b.c', 'the Authorization header is not one scheme and one token'],
    ] as const) {
      expect(await refusalFor(header), String(header)).toEqual({
        kind: 'unauthenticated',
        code: 'credentials-malformed',
        challenge: { error: 'invalid_request', description },
      });
    }
  });

  test('refuses what is no compact serialization', async () => {
    for (const token of [
      'a.b',
      'a.b.c.d',
      'a.b.c.d.e',
      'a..c',
      '.b.c',
      'a.b.',
      'a.b.c=',
      'a.b+.c',
      'a/.b.c',
      'a.\u0000b.c',
      'a.bé.c',
      '{"payload":"b"}',
    ]) {
      expect(await refusalFor(`Bearer ${token}`), token).toEqual(
        invalidToken('the token is not a signed JWT'),
      );
    }
  });

  test('refuses more than 16 KiB', async () => {
    const token = (length: number) => `Bearer a.${'b'.repeat(length - 4)}.c`;
    expect(bearerToken(token(16 * 1024))).toHaveLength(16 * 1024);
    expect(await refusalFor(token(16 * 1024 + 1))).toEqual(invalidToken('the token is too long'));
    expect(await refusalFor(token(5 * 1024 * 1024))).toEqual(invalidToken('the token is too long'));
  });
});

describe('basicCredentials()', () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64');

  test('finds a name and a password', () => {
    const rows = [
      [`Basic ${encoded('ann:word')}`, { name: 'ann', password: 'word' }],
      [` basic   ${encoded('ann:word')} `, { name: 'ann', password: 'word' }],
      [`BASIC ${encoded('ann: a b\tc\n d:e')}`, { name: 'ann', password: 'abcd:e' }],
      [`Basic ${encoded('å b:ø')}`, { name: 'å b', password: 'ø' }],
    ] as const;
    expect(rows.map(([header]) => [header, basicCredentials(header)])).toEqual(rows);
  });

  test('finds no name and password elsewhere', () => {
    const rows = [
      '',
      'Basic',
      `Basic${encoded('ann:word')}`,
      `xBasic ${encoded('ann:word')}`,
      `Bearer Basic ${encoded('ann:word')}`,
      `Basic ${encoded('ann:word')} more`,
      `Basic ${encoded('ann')}`,
      `Basic ${encoded(':word')}`,
      `Basic ${encoded('ann:')}`,
      `Basic ${encoded('ann: \n')}`,
    ];
    expect(rows.filter((header) => basicCredentials(header) !== undefined)).toEqual([]);
  });
});
