/** One connection of a client: its requests one after the other, until either side closes it. */

import type { Socket } from 'node:net';
import { sizeOf } from '../bytes.ts';
import { BodyError } from './chunk-decoder.ts';
import type { ServerLimits } from './limits.ts';
import { Rejection } from './rejection.ts';
import { type EncodedReply, encodeReply, isWhole, type Reply } from './reply.ts';
import { RequestBody } from './request-body.ts';
import { type RequestHead, readHead } from './request-head.ts';
import { SocketReader } from './socket-reader.ts';

export interface ServerRequest {
  readonly head: RequestHead;
  readonly body: RequestBody;
}

/** Answers a request; never rejects. */
export type Handler = (request: ServerRequest) => Promise<Reply>;

/** Milliseconds in which a client may read the last reply before the connection is cut. */
const lingerTime = 2_000;
/** Bodies up to this size go out in one piece with their head. */
const smallBody = 16_384;

/** The end of a body of which one chunk has gone. */
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/** What stands in for the head of a request that could not be read. */
const unreadable = {
  method: '',
  version: '1.1',
  keepAlive: false,
} as RequestHead;

export class Connection {
  readonly #socket: Socket;
  readonly #reader: SocketReader;
  readonly #handler: Handler;
  readonly #limits: ServerLimits;
  #stopping = false;

  constructor(socket: Socket, handler: Handler, limits: ServerLimits) {
    this.#socket = socket;
    this.#reader = new SocketReader(socket);
    this.#handler = handler;
    this.#limits = limits;
  }

  /** Serves until the connection closes. */
  async serve(): Promise<void> {
    try {
      while (await this.#serveNext());
      this.#close();
    } catch (error) {
      if (error instanceof Rejection) this.#reject(error);
      else this.#socket.destroy();
    }
  }

  /** Closes the connection after the request that is in flight, or at once without one. */
  stop(): void {
    this.#stopping = true;
    if (this.#reader.phase === 'idle') this.#close();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Ends what takes too long; called every so often. */
  check(now: number): void {
    const { phase, since, received } = this.#reader;
    const elapsed = now - since;
    const { keepAlive, requestHead, bodyRate, bodyGrace, bodyDrain } = this.#limits;
    if (phase === 'idle' && elapsed > keepAlive) this.#close();
    if (phase === 'head' && elapsed > requestHead) this.#reader.fail(new Rejection(408));
    if (phase === 'drain' && elapsed > bodyDrain) this.#socket.destroy();
    if (phase === 'body' && elapsed > bodyGrace && received / (elapsed / 1000) < bodyRate)
      this.#reader.fail(new BodyError('too slow'));
  }

  /** Serves one request. False when there will be no further one. */
  async #serveNext(): Promise<boolean> {
    const head = await this.#readHead();
    if (head === undefined) return false;
    const expectsContinue =
      head.version === '1.1' && head.headers.get('expect')?.toLowerCase() === '100-continue';
    const body = new RequestBody(
      head,
      this.#reader,
      this.#limits,
      expectsContinue ? () => this.#socket.write('HTTP/1.1 100 Continue\r\n\r\n') : undefined,
    );
    const reply = await this.#handler({ head, body });
    const encoded = encodeReply(reply, head, !this.#stopping && !body.broken);
    await this.#write(encoded);
    return encoded.keepAlive && (await body.discard()) && !this.#stopping;
  }

  async #readHead(): Promise<RequestHead | undefined> {
    const reader = this.#reader;
    reader.enter('idle');
    while (!this.#skipEmptyLines()) if (!(await reader.more())) return undefined;
    reader.enter('head');
    for (;;) {
      const read = readHead(reader.bytes);
      if (read !== undefined) {
        reader.consume(read.length);
        reader.enter('none');
        return read.head;
      }
      if (!(await reader.more())) throw new Rejection(400);
    }
  }

  /** Skips line ends before a request. True when a request begins. */
  #skipEmptyLines(): boolean {
    const { bytes } = this.#reader;
    const start = bytes.findIndex((byte) => byte !== 0x0d && byte !== 0x0a);
    if (start !== 0 && bytes.length > 0) this.#reader.consume(start === -1 ? bytes.length : start);
    return start !== -1;
  }

  async #write({ head, body, chunked }: EncodedReply): Promise<void> {
    if (body === undefined || isWhole(body)) this.#writeWhole(head, body ?? [], chunked);
    else await this.#writeStream(head, body, chunked);
  }

  #writeWhole(head: string, body: readonly Uint8Array[], chunked: boolean): void {
    const size = sizeOf(body);
    const isChunk = chunked && size > 0;
    const start = Buffer.from(isChunk ? `${head}${size.toString(16)}\r\n` : head, 'latin1');
    const parts = [start, ...body, ...(isChunk ? [lastChunk] : [])];
    this.#socket.cork();
    for (const part of size <= smallBody ? [Buffer.concat(parts)] : parts) this.#socket.write(part);
    this.#socket.uncork();
  }

  async #writeStream(head: string, body: AsyncIterable<Uint8Array>, chunked: boolean): Promise<void> {
    this.#socket.write(head, 'latin1');
    for await (const part of body) {
      if (part.length === 0) continue;
      this.#socket.cork();
      if (chunked) this.#socket.write(`${part.length.toString(16)}\r\n`);
      const flowing = this.#socket.write(part);
      if (chunked) this.#socket.write('\r\n');
      this.#socket.uncork();
      if (!flowing && !this.#socket.destroyed) await drained(this.#socket);
    }
    if (chunked) this.#socket.write('0\r\n\r\n');
  }

  #reject({ status, allow }: Rejection): void {
    const headers = allow === undefined ? [] : ([['Allow', allow]] as const);
    const { head } = encodeReply({ status, headers, close: true }, unreadable, false);
    this.#socket.write(head, 'latin1');
    this.#close();
  }

  /** Closes the connection once everything is sent. A client that is still sending would lose the reply, so it is heard out. */
  #close(): void {
    const sending = this.#reader.phase !== 'idle';
    this.#reader.enter('none');
    if (!sending) {
      this.#socket.destroySoon();
      return;
    }
    this.#socket.end();
    this.#socket.resume();
    setTimeout(() => this.#socket.destroy(), lingerTime).unref();
  }
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('drain', resolve);
    socket.once('close', resolve);
  });
}
