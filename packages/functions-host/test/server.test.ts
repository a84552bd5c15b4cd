/** The HTTP server of the emulated host: its time limits, and connections that live on. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { kestrelLimits, type ServerLimits } from '../src/http/limits.ts';
import { type Handler, startHttpServer } from '../src/http/server.ts';

const echo: Handler = async ({ head, body }) => ({
  status: 200,
  headers: [['X-Method', head.method]],
  body: await body.readAll().catch((error: Error) => [Buffer.from(error.message)]),
});
const ignore: Handler = async () => ({ status: 200, headers: [] });

/** Starts a server whose time passes faster. */
async function serve(handler: Handler, limits: Partial<ServerLimits> = {}) {
  const server = await startHttpServer(handler, 0, { ...kestrelLimits, tick: 10, ...limits });
  onTestFinished(() => server.close(0));
  return server;
}

async function open(port: number): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (part) => {
    text += part;
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return { socket, received: () => text };
}

const request = (method: string, ...lines: string[]) =>
  `${[`${method} / HTTP/1.1`, 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`;

test('a connection without a request closes', async () => {
  const { port } = await serve(echo, { requestHead: 50 });
  const { socket, received } = await open(port);
  await once(socket, 'close');
  expect(received()).toBe('');
});

test('a connection that is idle after a reply closes', async () => {
  const { port } = await serve(ignore, { keepAlive: 50 });
  const { socket, received } = await open(port);
  socket.write(request('GET'));
  await once(socket, 'close');
  expect(received()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(received()).not.toContain('Connection:');
});

test('headers that never end are answered 408', async () => {
  const { port } = await serve(echo, { requestHead: 50 });
  const { socket, received } = await open(port);
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
  await once(socket, 'close');
  expect(received()).toMatch(/^HTTP\/1\.1 408 .*\r\nContent-Length: 0\r\nConnection: close\r\n/);
});

test('a body that is too slow cannot be read, and the connection closes', async () => {
  const { port } = await serve(echo, { bodyGrace: 50 });
  const { socket, received } = await open(port);
  socket.write(`${request('POST', 'Content-Length: 9')}abc`);
  await once(socket, 'close');
  expect(received()).toContain('Cannot read the request body: it is too slow.');
});

test('a body is read as it comes', async () => {
  const { port } = await serve(echo);
  const { socket, received } = await open(port);
  socket.write(request('POST', 'Content-Length: 4', 'Expect: 100-continue'));
  await expect.poll(received).toContain('100 Continue');
  for (const part of ['t', 'e', 'xt']) socket.write(part);
  await expect.poll(received).toContain('\r\n4\r\ntext\r\n0\r\n\r\n');
  expect(received()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  socket.destroy();
});

test('a body that comes with its head is not asked for', async () => {
  const { port } = await serve(echo);
  const { socket, received } = await open(port);
  socket.write(`${request('POST', 'Content-Length: 4', 'Expect: 100-continue')}text`);
  await expect.poll(received).toContain('\r\n4\r\ntext\r\n0\r\n\r\n');
  expect(received()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  socket.destroy();
});

test.each([
  ['a length', 'Content-Length: 9', 'abc'],
  ['chunks, within one', 'Transfer-Encoding: chunked', '9\r\nabc'],
  ['chunks, between two', 'Transfer-Encoding: chunked', '3\r\nabc\r\n'],
])('a caller who closes their side within a body of %s gets no answer', async (_, header, body) => {
  const { port } = await serve(echo);
  const { socket, received } = await open(port);
  socket.end(request('POST', header) + body);
  await once(socket, 'close');
  expect(received()).toBe('');
});

test('chunks that are none are a body that cannot be read, if somebody reads it', async () => {
  const chunks = `${request('POST', 'Transfer-Encoding: chunked')}zz\r\nabc`;
  for (const [handler, answer] of [
    [echo, 'Cannot read the request body: it is broken.'],
    [ignore, ' 200 OK'],
  ] as const) {
    const { port } = await serve(handler);
    const { socket, received } = await open(port);
    socket.write(chunks);
    await once(socket, 'close');
    expect(received()).toContain(answer);
  }
});

test('a body in chunks is decoded, with extensions and trailers', async () => {
  const { port } = await serve(echo);
  const { socket, received } = await open(port);
  socket.write(
    `${request('POST', 'Transfer-Encoding: chunked')}3;a=b\r\nabc\r\n1\r\nd\r\n0\r\nX-T: 1\r\n\r\n`,
  );
  await expect.poll(received).toContain('\r\n4\r\nabcd\r\n0\r\n\r\n');
  socket.destroy();
});

test('requests one behind the other are answered in turn; a body that nobody reads is passed over', async () => {
  const { port } = await serve(ignore);
  const { socket, received } = await open(port);
  socket.write(
    `${request('POST', 'Content-Length: 4')}text\r\n\r\n${request('PUT', 'Transfer-Encoding: chunked')}4\r\ntext\r\n0\r\n\r\n${request('GET', 'Connection: close')}`,
  );
  await once(socket, 'close');
  expect(received().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
});

test('close() lets a request in flight end, and tells its client', async () => {
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const server = await startHttpServer(
    async () => {
      asked.resolve();
      await gate.promise;
      return { status: 200, headers: [] };
    },
    0,
    kestrelLimits,
  );
  const [busy, idle] = await Promise.all([open(server.port), open(server.port)]);
  busy.socket.write(request('GET'));
  await asked.promise;
  const closed = server.close(5_000);
  await once(idle.socket, 'close');
  gate.resolve();
  await Promise.all([closed, once(busy.socket, 'close')]);
  expect(busy.received()).toContain('Connection: close\r\n');
});

test('close() cuts what takes longer', async () => {
  const asked = Promise.withResolvers<void>();
  const server = await startHttpServer(
    () => {
      asked.resolve();
      return new Promise(() => {});
    },
    0,
    kestrelLimits,
  );
  const { socket, received } = await open(server.port);
  socket.write(request('GET'));
  await asked.promise;
  await Promise.all([server.close(50), once(socket, 'close')]);
  expect(received()).toBe('');
});

test.each(['user@name', 'user:word@localhost', '@', 'local host', 'localhost,other'])(
  'the Host %s is answered 400 before the host sees the request',
  async (host) => {
    const { port } = await serve(echo);
    const { socket, received } = await open(port);
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await once(socket, 'close');
    expect(received()).toMatch(/^HTTP\/1\.1 400 /);
    expect(received().split('\r\n')).toEqual(
      expect.arrayContaining(['Content-Length: 0', 'Connection: close', 'Server: Kestrel']),
    );
  },
);
