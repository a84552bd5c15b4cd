/** A client that sends bytes as they are, for tests that look at the bytes. */
import { connect, type Socket } from 'node:net';

/** Milliseconds that a server has to answer or to end a connection, also on a busy machine. */
const ANSWER_TIMEOUT = 60_000;

/** Sends bytes and returns what comes back until the end; rejects when the server does not end the connection. */
export function converse(port: number, bytes: Uint8Array, options: { stay?: boolean } = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const received: Buffer[] = [];
    const timeout = setTimeout(() => {
      socket.destroy();
      reject(new Error('the server keeps the connection open'));
    }, ANSWER_TIMEOUT);
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timeout);
      resolve(Buffer.concat(received));
    });
    if (options.stay) socket.write(bytes);
    else socket.end(bytes);
  });
}

/** Sends messages one after the other, each when the one before is answered, and returns the answers. */
export async function exchange(port: number, messages: readonly Uint8Array[]): Promise<Buffer[]> {
  const socket = connect(port, '127.0.0.1');
  const answers: Buffer[] = [];
  for (const message of messages) {
    socket.write(message);
    answers.push(await readReply(socket));
  }
  socket.destroy();
  return answers;
}

/** Collects packets until one says that it is the last. */
async function readReply(socket: Socket): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  while (!isWhole(bytes)) {
    const chunk = await new Promise<Buffer>((resolve, reject) => {
      socket.once('data', resolve);
      socket.once('close', () => reject(new Error('the server has closed the connection')));
    });
    bytes = Buffer.concat([bytes, chunk]);
  }
  return bytes;
}

function isWhole(bytes: Buffer): boolean {
  for (let at = 0; at + 8 <= bytes.length; at += bytes.readUInt16BE(at + 2)) {
    if (bytes[at + 1] === 1) return at + bytes.readUInt16BE(at + 2) === bytes.length;
  }
  return false;
}
