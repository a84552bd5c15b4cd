/** Puts packets together to messages (MS-TDS 2.2.1), and hands them out one at a time. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { HEADER_LENGTH, PacketStatus, PacketType, readPacketHeader } from './packet.ts';
import { ProtocolError } from './protocol-error.ts';

/** Before the login a message is small: 128 KiB hold a LOGIN7 with the longest token. */
const LIMIT_BEFORE_LOGIN = 128 * 1024;
const LIMIT = 256 * 1024 * 1024;
/** Clients wait for each reply, so more than these (a request and an attention or two) is a fault. */
const MAX_WAITING = 8;

export interface Message {
  readonly type: number;
  /** Status bits of the packets, taken together. */
  readonly status: number;
  readonly payload: Buffer;
}

/**
 * The messages of one client. `next` gives `undefined` when the client is gone, and throws a `ProtocolError` when
 * its bytes are wrong. An attention also calls `onAttention` the moment it arrives, before it is handed out in turn.
 */
export class MessageStream {
  onAttention: () => void = () => {};
  private readonly waiting: Message[] = [];
  private attentions = 0;
  private limit = LIMIT_BEFORE_LOGIN;
  private rest: Buffer = Buffer.alloc(0);
  private parts: Buffer[] = [];
  private partsLength = 0;
  private partsStatus = 0;
  private failure: ProtocolError | undefined;
  private closed = false;
  private wake: () => void = () => {};
  private readonly socket: Socket;
  private source: Duplex;
  private readonly take = (chunk: Buffer) => this.receive(chunk);

  constructor(socket: Socket) {
    this.socket = socket;
    this.source = socket;
    socket.on('data', this.take);
    socket.on('close', () => {
      this.closed = true;
      this.wake();
    });
  }

  /** Reads from another stream over the same connection: an encrypted one, or the socket again. */
  readFrom(source: Duplex): void {
    this.source.off('data', this.take);
    this.source = source;
    source.on('data', this.take);
  }

  /** True while an attention is in the queue: every message before it is cancelled. */
  get attentionWaiting(): boolean {
    return this.attentions > 0;
  }

  /** Lets messages be large; called when the login has succeeded. */
  liftLimit(): void {
    this.limit = LIMIT;
  }

  async next(): Promise<Message | undefined> {
    while (this.waiting.length === 0) {
      if (this.failure) throw this.failure;
      if (this.closed) return undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    const message = this.waiting.shift();
    if (message?.type === PacketType.attention) this.attentions--;
    return message;
  }

  private receive(chunk: Buffer): void {
    try {
      this.split(this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]));
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.failure = error;
      this.socket.pause();
    }
    this.wake();
  }

  private split(bytes: Buffer): void {
    let offset = 0;
    while (bytes.length - offset >= HEADER_LENGTH) {
      const header = readPacketHeader(bytes, offset);
      if (bytes.length - offset < header.length) break;
      this.add(header.type, header.status, bytes.subarray(offset + HEADER_LENGTH, offset + header.length));
      offset += header.length;
    }
    this.rest = bytes.subarray(offset);
  }

  private add(type: number, status: number, part: Buffer): void {
    this.parts.push(part);
    this.partsLength += part.length;
    this.partsStatus |= status;
    if (this.partsLength > this.limit) {
      throw new ProtocolError(`Cannot read a message: it is longer than ${this.limit} bytes`);
    }
    if ((status & PacketStatus.endOfMessage) === 0) return;
    const [first] = this.parts;
    const payload = this.parts.length === 1 && first ? first : Buffer.concat(this.parts);
    this.queue({ type, status: this.partsStatus, payload });
    this.parts = [];
    this.partsLength = 0;
    this.partsStatus = 0;
  }

  private queue(message: Message): void {
    if (this.waiting.length >= MAX_WAITING) {
      throw new ProtocolError('Cannot take a message: the client does not wait for replies');
    }
    this.waiting.push(message);
    if (message.type === PacketType.attention) {
      this.attentions++;
      this.onAttention();
    }
  }
}
