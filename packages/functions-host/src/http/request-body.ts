/** The body of one request, read when somebody asks for it. */

import type { IncomingMessage } from 'node:http';
import type { ServerLimits } from './limits.ts';

/** A body that cannot be read. */
export class BodyError extends Error {
  constructor(what: 'too large' | 'too slow' | 'broken') {
    super(`Cannot read the request body: it is ${what}.`);
  }
}

export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #limits: ServerLimits;
  readonly #sendContinue: () => void;
  /** Bytes of the body; `chunked` when it comes in chunks. */
  readonly length: number | 'chunked';
  /** Whether the connection can serve no further request, as the body was refused. */
  broken = false;
  readonly #failure = Promise.withResolvers<never>();

  /** `sendContinue` is called before the first part is waited for. */
  constructor(request: IncomingMessage, limits: ServerLimits, sendContinue: () => void) {
    this.#request = request;
    this.#limits = limits;
    this.#sendContinue = sendContinue;
    const { 'transfer-encoding': coding, 'content-length': length = '0' } = request.headers;
    this.length = coding === undefined ? Number(length) : 'chunked';
    // Whoever reads the body meets it.
    this.#failure.promise.catch(() => {});
  }

  /** Whether some of it is still to come. */
  get isIncomplete(): boolean {
    return this.length !== 0 && !this.#request.complete;
  }

  /** Makes it one that cannot be read, since what comes is no body. */
  break(): void {
    this.broken = true;
    this.#failure.reject(new BodyError('broken'));
  }

  /** Reads the whole body and resolves with its parts. Throws a BodyError when it is too large, too slow or broken, and an Error when it ends early. */
  async readAll(): Promise<Buffer[]> {
    const parts: Buffer[] = [];
    for await (const part of this.parts()) parts.push(part);
    return parts;
  }

  /** The body as it comes in. Throws as `readAll` does. */
  async *parts(): AsyncGenerator<Buffer> {
    const { bodySize } = this.#limits;
    let received = 0;
    const timer = this.#watch(
      () => received,
      () => this.#failure.reject(new BodyError('too slow')),
    );
    // The reply to a refused body still has to go out by the request's socket.
    const parts = this.#request.iterator({ destroyOnReturn: false });
    try {
      if (this.length !== 'chunked' && this.length > bodySize) throw new BodyError('too large');
      // Who has sent some of it does not wait to be asked. What has come with the head is parsed after it.
      await undefined;
      if (this.#request.readableLength === 0) this.#sendContinue();
      for (;;) {
        const { done, value } = await Promise.race([parts.next(), this.#failure.promise]);
        if (done === true) return;
        received += value.length;
        if (received > bodySize) throw new BodyError('too large');
        yield value;
      }
    } catch (error) {
      this.broken = true;
      throw error;
    } finally {
      clearInterval(timer);
      // What nobody reads is passed over, or it would stand before the next request of the connection. A client may never send it.
      void this.#passOver(parts);
    }
  }

  async #passOver(parts: AsyncIterator<Buffer>): Promise<void> {
    try {
      await parts.return?.();
      this.#request.resume();
    } catch {
      // The client is gone.
    }
  }

  /** Calls back once the body comes more slowly than it must. */
  #watch(received: () => number, onSlow: () => void): NodeJS.Timeout {
    const { bodyGrace, bodyRate, tick } = this.#limits;
    const began = Date.now();
    return setInterval(() => {
      const elapsed = Date.now() - began;
      if (elapsed > bodyGrace && received() / (elapsed / 1000) < bodyRate) onSlow();
    }, tick);
  }
}
