/** Answers the requests of a session, one after the other (MS-TDS 3.3.5.6). */
import { EngineFault, type Event, type Parameter, type Session } from '../engine/session.ts';
import type { Message, MessageStream } from './message-stream.ts';
import { readRpcRequest } from './messages/rpc-request.ts';
import { readSqlBatch } from './messages/sql-batch.ts';
import { readTransactionRequest } from './messages/transaction-request.ts';
import { notSupported, statementFault, wrongTransaction } from './messages.ts';
import { PacketStatus, PacketType } from './packet.ts';
import { ProtocolError } from './protocol-error.ts';
import type { ReplyWriter } from './reply-writer.ts';
import { type RequestKind, Response } from './response.ts';
import { writeDone } from './tokens/done.ts';
import { writeReset, writeTransactionChange } from './tokens/env-change.ts';
import { UnsupportedType } from './types/type-table.ts';

/** Called by number, and not by any client that this server is for. */
const UNSUPPORTED_PROCEDURE = /^sp_(cursor.*|prepexecrpc)$/i;

interface Request {
  readonly kind: RequestKind;
  /** The transaction that the client thinks it is in. */
  readonly descriptor: bigint;
  readonly parameters?: readonly Parameter[];
  readonly run: () => AsyncIterable<Event>;
}

/** The requests of one connection. */
export class Requests {
  private transaction = 0n;
  private running = false;
  private readonly session: Session;
  private readonly messages: MessageStream;
  private readonly reply: ReplyWriter;
  private readonly log: (line: string) => void;

  constructor(session: Session, messages: MessageStream, reply: ReplyWriter, log: (line: string) => void) {
    this.session = session;
    this.messages = messages;
    this.reply = reply;
    this.log = log;
    messages.onAttention = () => this.cancel();
  }

  /** Ends the request that is running, if any. */
  cancel(): void {
    if (this.running) this.session.cancel();
  }

  /** Answers until the client goes. */
  async answerAll(): Promise<void> {
    for (let message = await this.messages.next(); message; message = await this.messages.next()) {
      await this.respond(message);
      await this.reply.end();
    }
  }

  private async respond(message: Message): Promise<void> {
    const given = (status: number) => (message.status & status) !== 0;
    if (message.type === PacketType.attention) {
      return writeDone(this.reply.tokens, { token: 'done', attention: true });
    }
    if (given(PacketStatus.ignore)) return writeDone(this.reply.tokens, { token: 'done', failed: true });
    const reset = given(PacketStatus.resetConnection);
    if (reset) this.reset();
    if (given(PacketStatus.resetConnectionKeepTransaction)) this.resetKeepingTransaction();
    const request = this.read(message);
    if (typeof request === 'string') return this.refuse(request);
    await this.run(request, reset);
  }

  private refuse(why: string): void {
    const response = new Response(this.reply, { kind: 'batch', transaction: this.transaction });
    response.writeMessage(notSupported(why));
    response.end();
  }

  private reset(): void {
    this.session.reset();
    writeReset(this.reply.tokens);
    if (this.transaction !== 0n) writeTransactionChange(this.reply.tokens, 'rollback', this.transaction);
    this.transaction = 0n;
  }

  /** What a pool asks for between two uses of a connection in one TransactionScope. */
  private resetKeepingTransaction(): void {
    this.session.reset({ keepsTransaction: true });
    writeReset(this.reply.tokens);
  }

  /** Returns the request, or why it is not supported. */
  private read({ type, payload }: Message): Request | string {
    switch (type) {
      case PacketType.sqlBatch: {
        const { descriptor, sql } = readSqlBatch(payload);
        return { kind: 'batch', descriptor, run: () => this.session.batch(sql) };
      }
      case PacketType.rpc:
        return this.readCall(payload);
      case PacketType.transactionManager:
        return this.readTransaction(payload);
      case PacketType.bulkLoad:
        return 'Bulk load is not supported by the local SQL server.';
      default:
        throw new ProtocolError(`A message of type ${type} came where a request was due`);
    }
  }

  private readTransaction(payload: Buffer): Request | string {
    const { descriptor, request } = readTransactionRequest(payload);
    if (typeof request === 'string') return request;
    return { kind: 'batch', descriptor, run: () => this.session.transaction(request) };
  }

  private readCall(payload: Buffer): Request | string {
    try {
      const { descriptor, procedure, parameters } = readRpcRequest(payload);
      if (UNSUPPORTED_PROCEDURE.test(procedure))
        return `${procedure} is not supported by the local SQL server.`;
      const run = () => this.session.procedure(procedure, parameters);
      return { kind: 'procedure', descriptor, parameters, run };
    } catch (error) {
      if (error instanceof UnsupportedType) return error.message;
      throw error;
    }
  }

  private async run(request: Request, reset: boolean): Promise<void> {
    const response = new Response(this.reply, { ...request, transaction: this.transaction });
    if (!reset && request.descriptor !== this.transaction) {
      response.writeMessage(wrongTransaction(request.descriptor));
    } else if (!this.messages.attentionWaiting) {
      await this.write(request.run(), response);
    }
    this.transaction = response.transaction;
    response.end();
  }

  /** Writes the events; behind an attention only those that the client must not miss. */
  private async write(events: AsyncIterable<Event>, response: Response): Promise<void> {
    this.running = true;
    try {
      for await (const event of events) {
        if (!this.messages.attentionWaiting || event.kind === 'transaction') response.write(event);
        if (event.kind === 'message' && event.immediate) await this.reply.sendNow();
        else if (this.reply.full) await this.reply.flush();
      }
    } catch (error) {
      if (!(error instanceof EngineFault)) throw error;
      this.log(`A statement failed: ${error.cause instanceof Error ? error.cause.stack : error.message}`);
      response.writeMessage(statementFault(error));
    } finally {
      this.running = false;
    }
  }
}
