/** The body of one request, read when somebody asks for it. */

import { BodyError, ChunkDecoder } from './chunk-decoder.ts';
import type { ServerLimits } from './limits.ts';
import type { RequestHead } from './request-head.ts';
import type { SocketReader } from './socket-reader.ts';

export class RequestBody {
  readonly #reader: SocketReader;
  readonly #limits: ServerLimits;
  readonly #sendContinue: (() => void) | undefined;
  readonly #chunks: ChunkDecoder | undefined;
  readonly length: number | 'chunked';
  #left: number;
  #continued = false;
  /** Whether the connection can serve no further request, as the body was refused. */
  broken = false;

  constructor(
    { bodyLength }: RequestHead,
    reader: SocketReader,
    limits: ServerLimits,
    sendContinue: (() => void) | undefined,
  ) {
    this.#reader = reader;
    this.#limits = limits;
    this.#sendContinue = sendContinue;
    this.length = bodyLength;
    this.#chunks = bodyLength === 'chunked' ? new ChunkDecoder() : undefined;
    this.#left = bodyLength === 'chunked' ? limits.bodySize : bodyLength;
  }

  get #done(): boolean {
    return this.#chunks === undefined ? this.#left === 0 : this.#chunks.done;
  }

  /** Reads the whole body and resolves with its parts. Throws a BodyError when it is too large, too slow, or ends early. */
  async readAll(): Promise<Buffer[]> {
    const parts: Buffer[] = [];
    for await (const part of this.parts()) parts.push(part);
    return parts;
  }

  /** The body as it comes in. Throws as `readAll` does. */
  async *parts(): AsyncGenerator<Buffer> {
    try {
      if (this.length !== 'chunked' && this.length > this.#limits.bodySize) throw new BodyError('too large');
      this.#reader.enter('body');
      while (!this.#done) {
        const parts = this.#take();
        // Bytes that arrive while the caller handles a part do not wake the reader.
        if (parts.length > 0) yield* parts;
        else if (!this.#done) await this.#wait();
      }
    } catch (error) {
      this.broken = true;
      throw error;
    } finally {
      this.#reader.enter('none');
    }
  }

  async #wait(): Promise<void> {
    if (!this.#continued) this.#sendContinue?.();
    this.#continued = true;
    if (!(await this.#reader.more())) throw new BodyError('incomplete');
  }

  #take(): Buffer[] {
    const parts =
      this.#chunks === undefined ? this.#reader.take(this.#left) : this.#chunks.take(this.#reader);
    for (const { length } of parts) this.#left -= length;
    if (this.#left < 0) throw new BodyError('too large');
    return parts;
  }

  /** Throws away what nobody has read. False when the connection cannot serve another request. */
  async discard(): Promise<boolean> {
    if (this.broken) return false;
    if (this.#done) return true;
    if (this.length !== 'chunked' && this.length > this.#limits.bodySize) return false;
    try {
      this.#reader.enter('drain');
      while (!this.#done) {
        this.#take();
        if (!this.#done && !(await this.#reader.more())) return false;
      }
      return true;
    } catch {
      return false;
    }
  }
}
