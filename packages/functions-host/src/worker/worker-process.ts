/** One process of the worker, as the host sees it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { bodyInParts, FrameSender, frameReceiver } from './frames.ts';
import type { FunctionMetadata } from './functions-core.ts';
import type { FromWorker, Invocation, RpcReply, ToWorker } from './rpc.ts';

/** Milliseconds after which a worker that should have ended is killed: a little more than its hooks have. */
const killTime = 6_000;

export type LoadResult =
  | { readonly functions: readonly FunctionMetadata[]; readonly httpUri: string | undefined }
  /** Why the app did not load. */
  | { readonly failure: string };

/** What came back of an invocation; without a reply where it went as an HTTP stream, or the function returned nothing. */
export interface InvocationOutcome {
  readonly reply: RpcReply | undefined;
  readonly body: readonly Uint8Array[] | undefined;
}

/** An invocation that has not come back, with the reason. */
export class InvocationError extends Error {}

interface Pending {
  readonly resolve: (outcome: InvocationOutcome) => void;
  readonly reject: (error: InvocationError) => void;
}

export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #sender: FrameSender<ToWorker>;
  readonly #pending = new Map<string, Pending>();
  /** Resolves when the app is loaded or has failed to; stays open when the process ends before. */
  readonly loaded: Promise<LoadResult>;
  /** Resolves with the words for how the process ended. */
  readonly ended: Promise<string>;
  httpUri: string | undefined;
  /** Whether the app did not load. */
  failed = false;
  /** Set once the process has ended. */
  #failure: InvocationError | undefined;

  constructor(app: string, inspect: string | undefined) {
    this.#child = spawn(
      process.execPath,
      [
        ...process.execArgv,
        ...(inspect === undefined ? [] : [`--inspect=${inspect}`]),
        // Both scripts are built into one folder.
        join(import.meta.dirname, 'worker.js'),
        '--app',
        app,
      ],
      { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] },
    );
    const pipe = this.#child.stdio[3] as Duplex;
    this.#sender = new FrameSender(pipe);
    // The end of the process says what has happened.
    pipe.on('error', () => {});
    const loaded = Promise.withResolvers<LoadResult>();
    const ended = Promise.withResolvers<string>();
    this.loaded = loaded.promise;
    this.ended = ended.promise;
    pipe.on(
      'data',
      frameReceiver<FromWorker, Uint8Array[]>(bodyInParts, (message, body) =>
        this.#take(message, body, loaded.resolve),
      ),
    );
    this.#child.on('error', ({ message }) => ended.resolve(`did not start: ${message}`));
    this.#child.once('exit', (code, signal) => {
      this.#failAll();
      ended.resolve(`ended with ${signal ?? code}`);
    });
  }

  /** Runs a function. Rejects with an InvocationError when it throws, or when the process ends. */
  invoke(invocation: Invocation, body: readonly Uint8Array[]): Promise<InvocationOutcome> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const { promise, resolve, reject } = Promise.withResolvers<InvocationOutcome>();
    this.#pending.set(invocation.id, { resolve, reject });
    this.#sender.send({ type: 'invoke', invocation }, body);
    return promise;
  }

  /** Checks whether an invocation has not come back. */
  runs(id: string): boolean {
    return this.#pending.has(id);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Lets the app run its `appTerminate` hooks and waits for the end of the process. */
  async terminate(): Promise<void> {
    this.#sender.send({ type: 'terminate' });
    const late = setTimeout(() => this.kill(), killTime);
    await this.ended;
    clearTimeout(late);
  }

  #take(
    message: FromWorker,
    body: readonly Uint8Array[] | undefined,
    resolveLoaded: (result: LoadResult) => void,
  ): void {
    if (message.type === 'loaded') {
      this.httpUri = message.httpUri;
      resolveLoaded({ functions: message.functions, httpUri: message.httpUri });
    } else if (message.type === 'not loaded') {
      this.failed = true;
      resolveLoaded({ failure: message.reason });
    } else {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.type === 'done') pending?.resolve({ reply: message.reply, body });
      else pending?.reject(new InvocationError(message.reason));
    }
  }

  #failAll(): void {
    this.#failure = new InvocationError('The worker has ended.');
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
  }
}
