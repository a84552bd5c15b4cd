/** The conversation before the first request: PRELOGIN, LOGIN7, perhaps a token, then the acknowledgement (MS-TDS 3.3.5). */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { type Engine, LoginFailure, type Message as ServerMessage, type Session } from '../engine/session.ts';
import { AUDIENCE, type TokenVerifier } from './access-token.ts';
import { encrypted } from './encryption.ts';
import type { Message, MessageStream } from './message-stream.ts';
import { readFederatedAuthToken } from './messages/federated-auth.ts';
import { type Login7, readLogin7, TDS_7_4 } from './messages/login7.ts';
import { preloginReply, readPrelogin } from './messages/prelogin.ts';
import { changedSettings, loginFailed, notSupported } from './messages.ts';
import { DEFAULT_PACKET_SIZE, MAXIMUM_PACKET_SIZE, MINIMUM_PACKET_SIZE, PacketType } from './packet.ts';
import { ProtocolError } from './protocol-error.ts';
import type { ReplyWriter } from './reply-writer.ts';
import { writeDone } from './tokens/done.ts';
import { writeCollationChange, writeTextChange } from './tokens/env-change.ts';
import { writeFeatureExtAck } from './tokens/feature-ext-ack.ts';
import { writeFedAuthInfo } from './tokens/fed-auth-info.ts';
import { SERVER_VERSION, writeLoginAck } from './tokens/login-ack.ts';
import { writeMessage } from './tokens/message.ts';
import { collationBytes, DEFAULT_COLLATION } from './types/collation.ts';

const LANGUAGE = 'us_english';

/** What logins are checked against. */
export interface Access {
  readonly engine: Engine;
  /** Passwords by user; user names ignore case. */
  readonly users: ReadonlyMap<string, string>;
  /** Where tokens come from, and who checks them; without it there is no federated authentication. */
  readonly issuer: { readonly url: string; readonly verify: TokenVerifier } | undefined;
  /** The key and certificate of the server. */
  readonly secureContext: SecureContext;
  /** Takes one line per refused login, with the reason that the client is not told. */
  readonly log: (line: string) => void;
}

/** A rejected login: the client gets `messages`, the log `reason`. */
class Refusal extends Error {
  readonly messages: readonly ServerMessage[];

  constructor(reason: string, ...messages: ServerMessage[]) {
    super(reason);
    this.messages = messages;
  }
}

/** Logs a client in; returns its session, or `undefined` when it was refused or has gone. */
export async function logIn(
  socket: Socket,
  messages: MessageStream,
  reply: ReplyWriter,
  access: Access,
): Promise<Session | undefined> {
  const prelogin = await receive(messages, PacketType.prelogin);
  if (!prelogin) return undefined;
  const asked = readPrelogin(prelogin.payload);
  reply.tokens.raw(preloginReply(asked, SERVER_VERSION));
  await reply.end();
  if (asked.encrypted !== 'nothing') {
    const stream = encrypted(socket, access.secureContext);
    messages.readFrom(stream);
    reply.stream = stream;
  }
  const message = await receive(messages, PacketType.login7);
  if (asked.encrypted === 'login') {
    reply.stream.destroy();
    messages.readFrom(socket);
    reply.stream = socket;
    socket.resume();
  }
  if (!message) return undefined;
  try {
    return await authenticate(readLogin7(message.payload), messages, reply, access);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    access.log(`Login refused: ${error.message}`);
    await refuse(reply, error.messages);
    return undefined;
  }
}

async function receive(messages: MessageStream, type: number): Promise<Message | undefined> {
  const message = await messages.next();
  if (message && message.type !== type) {
    throw new ProtocolError(`A message of type ${message.type} came where one of type ${type} was due`);
  }
  return message;
}

async function authenticate(
  login: Login7,
  messages: MessageStream,
  reply: ReplyWriter,
  access: Access,
): Promise<Session | undefined> {
  mustSpeak74(login);
  const user = login.federatedAuth
    ? await bearerOf(login.federatedAuth.token, messages, reply, access)
    : mustKnowPassword(login, access);
  if (user === undefined) return undefined;
  const session = openSession(login, user, access);
  acknowledge(login, session, reply);
  messages.liftLimit();
  await reply.end();
  reply.packetSize = negotiatedSize(login);
  return session;
}

function mustSpeak74(login: Login7): void {
  if (login.tdsVersion >= TDS_7_4) return;
  const version = `0x${login.tdsVersion.toString(16)}`;
  throw new Refusal(
    `the client speaks TDS ${version}`,
    notSupported(`The local SQL server speaks TDS 7.4; the client asked for version ${version}.`),
  );
}

function mustKnowPassword(login: Login7, access: Access): string {
  const { user } = login;
  if (login.integratedSecurity) throw unsupportedLogin('Integrated security', user);
  if (login.changesPassword) throw unsupportedLogin('The change of a password', user);
  const password = access.users.get(user.toLowerCase());
  if (password === undefined) throw new Refusal(`there is no user '${user}'`, loginFailed(user));
  if (!same(password, login.password))
    throw new Refusal(`wrong password for user '${user}'`, loginFailed(user));
  return user;
}

function unsupportedLogin(what: string, user: string): Refusal {
  const why = `${what} is not supported by the local SQL server; use a SQL login or a token.`;
  return new Refusal(why, notSupported(why), loginFailed(user));
}

function same(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** Returns who bears the token; asks for one where the login came without. */
async function bearerOf(
  given: string | undefined,
  messages: MessageStream,
  reply: ReplyWriter,
  { issuer }: Access,
): Promise<string | undefined> {
  if (!issuer) {
    const why = 'Federated authentication is not set up on this local SQL server; start it with an issuer.';
    throw new Refusal('a token came, but no issuer is set up', notSupported(why), loginFailed(''));
  }
  const token = given ?? (await askForToken(issuer.url, messages, reply));
  if (token === undefined) return undefined;
  try {
    return await issuer.verify(token);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Refusal(`the token is not good: ${error.message}`, loginFailed('<token-identified principal>'));
  }
}

async function askForToken(
  issuer: string,
  messages: MessageStream,
  reply: ReplyWriter,
): Promise<string | undefined> {
  writeFedAuthInfo(reply.tokens, issuer, AUDIENCE);
  await reply.end();
  const message = await receive(messages, PacketType.federatedAuthToken);
  return message && readFederatedAuthToken(message.payload);
}

function openSession(login: Login7, user: string, { engine }: Access): Session {
  try {
    return engine.openSession({ user, database: login.database, application: login.application });
  } catch (error) {
    if (!(error instanceof LoginFailure)) throw error;
    throw new Refusal(error.message, error.details, loginFailed(user));
  }
}

function acknowledge(login: Login7, session: Session, reply: ReplyWriter): void {
  const out = reply.tokens;
  const [changedDatabase, changedLanguage] = changedSettings(session.database, LANGUAGE);
  writeTextChange(out, 'database', session.database, 'master');
  if (changedDatabase) writeMessage(out, changedDatabase);
  writeCollationChange(out, collationBytes(DEFAULT_COLLATION));
  writeTextChange(out, 'language', LANGUAGE, '');
  if (changedLanguage) writeMessage(out, changedLanguage);
  writeLoginAck(out);
  writeTextChange(out, 'packetSize', String(negotiatedSize(login)), String(DEFAULT_PACKET_SIZE));
  writeFeatureExtAck(out, { federatedAuth: login.federatedAuth !== undefined, utf8: login.utf8 });
  writeDone(out, { token: 'done' });
}

function negotiatedSize({ packetSize }: Login7): number {
  if (packetSize === 0) return DEFAULT_PACKET_SIZE;
  return Math.min(Math.max(packetSize, MINIMUM_PACKET_SIZE), MAXIMUM_PACKET_SIZE);
}

async function refuse(reply: ReplyWriter, messages: readonly ServerMessage[]): Promise<void> {
  for (const message of messages) writeMessage(reply.tokens, message);
  writeDone(reply.tokens, { token: 'done', failed: true });
  await reply.end();
}
