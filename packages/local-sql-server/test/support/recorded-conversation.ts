/** Records what a real client sends, as raw messages, by standing between it and a server. */
import { type AddressInfo, connect, createServer } from 'node:net';
import sql from 'mssql';
import { clientConfig } from './wire-server.ts';

/** Returns the chunks that mssql sends for a login, a batch, a call and an attention; one chunk per message. */
export async function recordConversation(port: number): Promise<Buffer[]> {
  const requests: Buffer[] = [];
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    client.on('data', (chunk) => requests.push(chunk));
    client.pipe(server).pipe(client);
    client.on('error', () => server.destroy());
    server.on('error', () => client.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const pool = new sql.ConnectionPool({
    ...clientConfig((proxy.address() as AddressInfo).port),
    pool: { max: 1, min: 0 },
  });
  await pool.connect();
  requests.length = 0;
  await pool.request().batch('SELECT 1');
  await call(pool);
  await pool.close();
  await new Promise((resolve) => proxy.close(resolve));
  return requests;
}

async function call(pool: sql.ConnectionPool): Promise<void> {
  await pool
    .request()
    .input('i', sql.Int, 1)
    .input('n', sql.Decimal(20, 4), 1.5)
    .input('t', sql.NVarChar(sql.MAX), 'text')
    .input('v', sql.VarChar(10), 'text')
    .input('d', sql.DateTimeOffset(3), new Date(0))
    .input('m', sql.DateTime, new Date(0))
    .input('b', sql.VarBinary(sql.MAX), Buffer.from('bytes'))
    .query('echo');
}
