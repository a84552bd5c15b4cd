/** The messages that the wire itself sends; the engine has all others. Numbers are SQL Server's. */
import type { Message } from '../engine/session.ts';

/** 18456: the reason goes to the server's log only, as on SQL Server. */
export function loginFailed(user: string): Message {
  return { number: 18456, state: 1, class: 14, message: `Login failed for user '${user}'.`, line: 1 };
}

/** 4002: the stream breaks the protocol; the connection closes. */
export function brokenStream(reason: string): Message {
  const message = `The incoming tabular data stream (TDS) protocol stream is incorrect. ${reason}.`;
  return { number: 4002, state: 1, class: 20, message, line: 1 };
}

/** 40000: a part of the protocol that SQL Server has and this server lacks. */
export function notSupported(what: string): Message {
  return { number: 40000, state: 1, class: 16, message: what, line: 1 };
}

/** 3971: the client is in another transaction than the server. */
export function wrongTransaction(descriptor: bigint): Message {
  const message = `The server failed to resume the transaction. Desc:${descriptor.toString(16)}.`;
  return { number: 3971, state: 1, class: 16, message, line: 1 };
}

/** 596: a fault of this server in its protocol; the connection closes and its transaction rolls back. */
export function internalFault(error: unknown): Message {
  const reason = error instanceof Error ? error.message : String(error);
  return { number: 596, state: 1, class: 21, message: `The local SQL server has failed: ${reason}`, line: 1 };
}

/** 8624: a fault of this server in a statement; its transaction is rolled back, and the connection continues. */
export function statementFault({ message }: Error): Message {
  const text = `Internal Query Processor Error: the local SQL server has failed, please report it: ${message}`;
  return { number: 8624, state: 1, class: 16, message: text, line: 1 };
}

/** 5701 and 5703: what a login sets, told as information. */
export function changedSettings(database: string, language: string): Message[] {
  return [
    { number: 5701, state: 2, class: 0, message: `Changed database context to '${database}'.`, line: 1 },
    { number: 5703, state: 1, class: 0, message: `Changed language setting to ${language}.`, line: 1 },
  ];
}
