/** TLS as clients use it: of everything, and of the login alone. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openEngine } from '../../src/engine/engine.ts';
import { tsql, tsqlInstalled } from '../support/tsql.ts';
import { connect, PASSWORD, startWire } from '../support/wire-server.ts';

function engine() {
  const opened = openEngine({ folder: undefined, databases: ['main'] });
  onTestFinished(() => opened.close());
  return opened;
}

describe('a connection that is encrypted', () => {
  const options = { encrypt: true, trustServerCertificate: true };

  test('serves what mssql asks, large values too', async () => {
    await using server = await startWire(engine());
    await using pool = await connect(server.port, { options });
    const sql = "SELECT 1 AS a, REPLICATE(CAST(N'ø' AS nvarchar(max)), 400000) AS b";
    const { recordset } = await pool.request().query(sql);
    expect(recordset).toEqual([{ a: 1, b: 'ø'.repeat(400_000) }]);
    expect(server.log).toEqual([]);
  });

  test('takes large parameters', async () => {
    await using server = await startWire(engine());
    await using pool = await connect(server.port, { options });
    const text = 'x'.repeat(1_000_000);
    const { recordset } = await pool.request().input('text', text).query('SELECT LEN(@text) AS n');
    expect(recordset).toEqual([{ n: '1000000' }]);
  });

  test('hears why its login is refused', async () => {
    await using server = await startWire(engine());
    await expect(connect(server.port, { options, password: 'wrong' })).rejects.toMatchObject({
      code: 'ELOGIN',
      message: "Login failed for user 'sa'.",
    });
  });

  test('is not made with a client that does not trust the certificate', async () => {
    await using server = await startWire(engine());
    const strict = { encrypt: true, trustServerCertificate: false };
    await expect(connect(server.port, { options: strict })).rejects.toMatchObject({ code: 'ESOCKET' });
  });

  test('ends when the client sends something else in the handshake', async () => {
    await using server = await startWire(engine());
    const socket = connectSocket(server.port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(Buffer.from('1201000f000001000100060001ff01', 'hex'));
    socket.on('data', () => socket.write(Buffer.from('0301000800000100', 'hex')));
    socket.on('error', () => {});
    await closed;
  });
});

describe.runIf(tsqlInstalled)('tsql of FreeTDS', () => {
  test.each([
    ['everything', 'require'],
    ['the login alone', 'request'],
    ['nothing', 'off'],
  ])('is served with encryption of %s', async (_what, encryption) => {
    await using server = await startWire(engine());
    const folder = mkdtempSync(join(tmpdir(), 'freetds-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const configuration = join(folder, 'freetds.conf');
    writeFileSync(configuration, `[global]\nencryption = ${encryption}\n`);
    const login = {
      server: '127.0.0.1',
      port: server.port,
      user: 'sa',
      password: PASSWORD,
      database: 'main',
      configuration,
    };
    expect(await tsql(login, 'SELECT 1 AS a\ngo\nSELECT 2 AS b\ngo\n')).toMatchObject({
      lines: ['a', '1', 'b', '2'],
    });
  });
});
