/** Turns the events of one request into tokens, in the order that clients expect (MS-TDS 2.2.7). */
import type { Event, Message, Parameter } from '../engine/session.ts';
import type { ReplyWriter } from './reply-writer.ts';
import { type Done, writeDone } from './tokens/done.ts';
import { writeTextChange, writeTransactionChange } from './tokens/env-change.ts';
import { isError, writeMessage } from './tokens/message.ts';
import { writeColumns, writeRow } from './tokens/result-set.ts';
import { writeReturnStatus } from './tokens/return-status.ts';
import { writeReturnValue } from './tokens/return-value.ts';
import type { Encoder } from './types/codec.ts';

export type RequestKind = 'batch' | 'procedure';

/**
 * The response to one request. A DONE says whether more follows, so each is delayed until the next event or the end tells. A procedure
 * call always ends with a DONEPROC.
 */
export class Response {
  /** Of the transaction that is open, 0 outside of one. */
  transaction: bigint;
  private encoders: readonly Encoder[] = [];
  private delayed: Done | undefined;
  private failed = false;
  private select = false;
  private readonly reply: ReplyWriter;
  private readonly kind: RequestKind;
  private readonly parameters: readonly Parameter[];

  constructor(
    reply: ReplyWriter,
    request: { kind: RequestKind; parameters?: readonly Parameter[]; transaction: bigint },
  ) {
    this.reply = reply;
    this.kind = request.kind;
    this.parameters = request.parameters ?? [];
    this.transaction = request.transaction;
  }

  write(event: Event): void {
    this.release(true);
    const out = this.reply.tokens;
    switch (event.kind) {
      case 'columns':
        this.encoders = writeColumns(out, event.columns);
        this.select = true;
        break;
      case 'row':
        writeRow(out, this.encoders, event.values);
        break;
      case 'statementDone':
        this.endStatement(event);
        break;
      case 'message':
        this.writeMessage(event.message);
        break;
      case 'returnValue':
        writeReturnValue(out, { ...event, ordinal: this.ordinal(event.name) });
        break;
      case 'returnStatus':
        writeReturnStatus(out, event.value);
        if (this.kind !== 'procedure') this.delayed = { token: 'doneProc' };
        break;
      case 'database':
        writeTextChange(out, 'database', event.name, event.name);
        break;
      case 'transaction':
        this.transaction = event.change === 'begin' ? event.descriptor : 0n;
        writeTransactionChange(out, event.change, event.descriptor);
        break;
    }
  }

  writeMessage(message: Message): void {
    this.failed ||= isError(message);
    writeMessage(this.reply.tokens, message);
  }

  /** Writes the DONE that ends the response; nothing may be written behind it. */
  end(): void {
    const last = this.kind === 'procedure' ? 'doneProc' : 'done';
    if (last === 'doneProc' || this.delayed?.token !== 'done') {
      this.release(true);
      this.delayed = { token: last, failed: this.failed };
    }
    this.release(false);
  }

  private endStatement(event: Event & { kind: 'statementDone' }): void {
    const inProcedure = event.insideProcedure || this.kind === 'procedure';
    this.delayed = {
      token: inProcedure ? 'doneInProc' : 'done',
      failed: event.failed ?? false,
      count: event.count,
      select: this.select,
    };
    this.failed = false;
    this.select = false;
  }

  private release(more: boolean): void {
    if (!this.delayed) return;
    writeDone(this.reply.tokens, { ...this.delayed, more, inTransaction: this.transaction !== 0n });
    this.delayed = undefined;
  }

  private ordinal(name: string): number {
    const wanted = name.toLowerCase();
    return Math.max(
      0,
      this.parameters.findIndex((parameter) => parameter.name.toLowerCase() === wanted),
    );
  }
}
