/** One connection from its first byte to its last: login, requests, and what happens when either side fails. */
import type { Socket } from 'node:net';
import type { Message } from '../engine/session.ts';
import { type Access, logIn } from './login.ts';
import { MessageStream } from './message-stream.ts';
import { brokenStream, internalFault } from './messages.ts';
import { ProtocolError } from './protocol-error.ts';
import { ReplyWriter } from './reply-writer.ts';
import { Requests } from './requests.ts';
import { writeDone } from './tokens/done.ts';
import { writeMessage } from './tokens/message.ts';

/** Milliseconds that a client has until it is logged in. */
const LOGIN_TIMEOUT = 30_000;
/** Milliseconds that a client has to take the last words before it is cut off. */
const GOODBYE_TIMEOUT = 2_000;

/** Serves one client; settles when the connection has closed, and never rejects. */
export async function serveConnection(socket: Socket, processId: number, access: Access): Promise<void> {
  socket.setNoDelay(true);
  // A network failure also closes the socket, and closing is handled.
  socket.on('error', () => {});
  const messages = new MessageStream(socket);
  const reply = new ReplyWriter(socket, processId);
  try {
    await converse(socket, messages, reply, access);
  } catch (error) {
    access.log(
      `Connection ${processId} closed: ${error instanceof ProtocolError ? error.message : messageOf(error)}`,
    );
    await lastWords(
      reply,
      error instanceof ProtocolError ? brokenStream(error.message) : internalFault(error),
    );
  } finally {
    sayGoodbye(socket, reply);
  }
}

async function converse(
  socket: Socket,
  messages: MessageStream,
  reply: ReplyWriter,
  access: Access,
): Promise<void> {
  const timeout = setTimeout(() => socket.destroy(), LOGIN_TIMEOUT);
  const session = await logIn(socket, messages, reply, access).finally(() => clearTimeout(timeout));
  if (!session) return;
  const requests = new Requests(session, messages, reply, access.log);
  socket.once('close', () => requests.cancel());
  try {
    await requests.answerAll();
  } finally {
    session.close();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Sends the client the reason, in a separate message; half a message may stand before it, which clients take as its start. */
async function lastWords(reply: ReplyWriter, message: Message): Promise<void> {
  reply.tokens.clear();
  writeMessage(reply.tokens, message);
  writeDone(reply.tokens, { token: 'done', failed: true });
  await reply.end();
}

/** Ends the connection once everything is sent, or soon. */
function sayGoodbye(socket: Socket, reply: ReplyWriter): void {
  if (reply.stream === socket) socket.destroySoon();
  else reply.stream.end(() => socket.destroySoon());
  const timeout = setTimeout(() => socket.destroy(), GOODBYE_TIMEOUT).unref();
  socket.once('close', () => clearTimeout(timeout));
}
