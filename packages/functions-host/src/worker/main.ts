/**
 * The process of the worker: loads the app in `--app` and runs its functions when the host says so, over the pipe that it has
 * inherited. It ends when the host has gone.
 */

import { Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { readHostSettings } from '../host-settings.ts';
import { bodyInOne, FrameSender, frameReceiver } from './frames.ts';
import { invoke } from './invoke.ts';
import { type LoadedApp, loadApp, runHooks } from './load-app.ts';
import { createLogWriter } from './log.ts';
import type { FromWorker, ToWorker } from './rpc.ts';

/** The file descriptor of the pipe to the host. */
const pipeDescriptor = 3;
/** Bytes that are read at once. */
const readSize = 256 * 1024;
/** Milliseconds for the `appTerminate` hooks: the grace period of the host's WorkerTerminate message. */
const graceTime = 5_000;

const { values } = parseArgs({ options: { app: { type: 'string', default: process.cwd() } } });
/** Set once the app is loaded, until when nothing is read. */
let onMessage: (message: ToWorker, body: Buffer | undefined) => void;
const receive = frameReceiver<ToWorker, Buffer>(bodyInOne, (message, body) => onMessage(message, body));
const pipe = new Socket({
  fd: pipeDescriptor,
  readable: true,
  writable: true,
  // One buffer for all that arrives, so that a body of megabytes leaves no garbage of pieces.
  onread: {
    buffer: Buffer.allocUnsafeSlow(readSize),
    callback(size, buffer) {
      receive(Buffer.from(buffer.buffer, buffer.byteOffset, size));
      return true;
    },
  },
});
pipe
  .pause()
  .on('error', () => process.exit(1))
  .on('end', () => process.exit(1));
const sender = new FrameSender<FromWorker>(pipe);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

try {
  const app = await loadApp(values.app, createLogWriter(readHostSettings(values.app, process.env).logLevels));
  onMessage = (message, body) => {
    if (message.type === 'terminate') void terminate(app);
    else void run(app, message, body);
  };
  pipe.resume();
  const { registrations, httpUri } = app;
  const functions = [...registrations.functions.values()].map(({ metadata }) => metadata);
  sender.send({ type: 'loaded', functions, ...(httpUri === undefined ? {} : { httpUri }) });
} catch (error) {
  sender.send({ type: 'not loaded', reason: reasonOf(error) });
  setImmediate(() => pipe.end(() => process.exit(1)));
}

async function run(
  { registrations }: LoadedApp,
  { invocation }: Extract<ToWorker, { type: 'invoke' }>,
  body: Buffer | undefined,
): Promise<void> {
  const { id } = invocation;
  try {
    const result = await invoke(registrations, invocation, body);
    if (result === undefined) sender.send({ type: 'done', id });
    else
      sender.send({ type: 'done', id, reply: result.reply }, result.body === undefined ? [] : [result.body]);
  } catch (error) {
    sender.send({ type: 'failed', id, reason: reasonOf(error) });
  }
}

async function terminate({ registrations }: LoadedApp): Promise<never> {
  const hooks = runHooks(registrations, 'appTerminate').catch((error: unknown) => {
    console.error('[error] worker: an appTerminate hook failed:', error);
  });
  const late = setTimeout(() => {
    console.error(`[error] worker: the appTerminate hooks did not end within ${graceTime / 1000} s.`);
    process.exit(0);
  }, graceTime);
  await hooks;
  clearTimeout(late);
  process.exit(0);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
