/** The bytes that a client sends, read on demand, and how long they take. */

import type { Socket } from 'node:net';

/** Bytes that may wait for a reader before the socket is paused. */
const maxWaiting = 65_536;

/**
 * Bytes of one piece after which the other connections are read first, else up to 2 MiB of this one are read at once.
 * Kestrel reads connections in parallel.
 */
const yieldSize = 16_384;

/** What is being read: it decides how long that may take. `none` while a request is handled. */
export type ReadPhase = 'idle' | 'head' | 'body' | 'drain' | 'none';

export class SocketReader {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #waiting = 0;
  #ended = false;
  #isYielding = false;
  #wake: (() => void) | undefined;
  #failure: Error | undefined;
  phase: ReadPhase = 'idle';
  /** When the phase began, in milliseconds since the epoch, and the bytes received since then. */
  since = Date.now();
  received = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('end', () => this.#end());
    socket.on('close', () => this.#end());
    socket.on('error', () => this.#end());
  }

  /** The bytes that have arrived and are not consumed yet. */
  get bytes(): Buffer {
    const [first] = this.#chunks;
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? first ?? Buffer.alloc(0);
  }

  enter(phase: ReadPhase): void {
    this.phase = phase;
    this.since = Date.now();
    this.received = 0;
  }

  consume(length: number): void {
    const rest = this.bytes.subarray(length);
    this.#waiting = rest.length;
    this.#chunks = rest.length === 0 ? [] : [rest];
  }

  /** Takes what has arrived, up to a number of bytes, without joining it. */
  take(limit: number): Buffer[] {
    if (this.#waiting <= limit) {
      const all = this.#chunks;
      this.#chunks = [];
      this.#waiting = 0;
      return all;
    }
    const taken = this.bytes.subarray(0, limit);
    this.consume(limit);
    return [taken];
  }

  /** Waits for more bytes; false when the client has ended. Throws what `fail` was called with. */
  async more(): Promise<boolean> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#ended) return false;
    const before = this.#waiting;
    if (!this.#isYielding) this.#socket.resume();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
    if (this.#failure !== undefined) throw this.#failure;
    return this.#waiting > before;
  }

  /** Fails the reader that waits for bytes, now or later. */
  fail(error: Error): void {
    this.#failure = error;
    this.#wake?.();
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
    this.received += chunk.length;
    if (this.#wake !== undefined) this.#wake();
    if (chunk.length >= yieldSize) this.#yieldToConnections();
    else if (this.#isFull) this.#socket.pause();
  }

  get #isFull(): boolean {
    return this.#wake === undefined && this.#waiting > maxWaiting;
  }

  #yieldToConnections(): void {
    this.#isYielding = true;
    this.#socket.pause();
    setImmediate(() => {
      this.#isYielding = false;
      if (!this.#isFull) this.#socket.resume();
    });
  }

  #end(): void {
    this.#ended = true;
    this.#wake?.();
  }
}
