/**
 * Messages over the pipe between the host and its worker: JSON with an optional body of bytes. The real ones speak gRPC.
 * A long body goes ahead of its message, in parts between which other messages go, so that nobody waits behind somebody's megabytes.
 */

import type { Writable } from 'node:stream';
import { sizeOf } from '../bytes.ts';

/** Sizes that stand before each frame: of its JSON (none in a part of a long body), of the bytes behind that, and of the whole body. */
const headSize = 12;

/** Bytes of a body that go at once. */
const partSize = 128 * 1024;

/** Bytes up to which frames are copied into one, which is cheaper than to write many. */
const copied = 64 * 1024;

/** A message whose body goes in parts. */
interface Long {
  readonly json: string;
  readonly size: number;
  /** What has not gone yet. */
  readonly rest: Uint8Array[];
}

/** Sends messages; the short ones of one turn of the event loop go out together, the long ones one after the other. */
export class FrameSender<Message> {
  readonly #pipe: Writable;
  #short: Uint8Array[] = [];
  readonly #long: Long[] = [];

  constructor(pipe: Writable) {
    this.#pipe = pipe;
  }

  send(message: Message, body: readonly Uint8Array[] = []): void {
    const json = JSON.stringify(message);
    const size = sizeOf(body);
    if (size > partSize) {
      if (this.#long.push({ json, size, rest: [...body] }) === 1) this.#sendPart();
      return;
    }
    if (this.#short.length === 0) setImmediate(() => this.#sendShort());
    this.#short.push(headOf(json, size, size), ...body);
  }

  #sendShort(): void {
    const frames = this.#short;
    this.#short = [];
    this.#write(sizeOf(frames) <= copied ? [Buffer.concat(frames)] : frames);
  }

  /** Sends the next part of the first long message, and the one after it once this one has gone. */
  #sendPart(): void {
    const [first] = this.#long;
    if (first === undefined) return;
    const { json, size, rest } = first;
    const part = takeBytes(rest, partSize);
    const isLast = rest.length === 0;
    this.#write([headOf(isLast ? json : '', sizeOf(part), size), ...part], (error) => {
      if (isLast) this.#long.shift();
      if (!error) this.#sendPart();
    });
  }

  #write(frames: readonly Uint8Array[], onGone?: (error?: Error | null) => void): void {
    this.#pipe.cork();
    for (const [index, frame] of frames.entries())
      this.#pipe.write(frame, index === frames.length - 1 ? onGone : undefined);
    this.#pipe.uncork();
  }
}

function headOf(json: string, bytes: number, size: number): Uint8Array {
  const jsonSize = Buffer.byteLength(json);
  const head = Buffer.allocUnsafe(headSize + jsonSize);
  for (const [index, one] of [jsonSize, bytes, size].entries()) head.writeUInt32LE(one, index * 4);
  head.write(json, headSize);
  return head;
}

/** Takes so many bytes out of what is left, at most. */
function takeBytes(rest: Uint8Array[], limit: number): Uint8Array[] {
  const taken: Uint8Array[] = [];
  for (let left = limit; left > 0; ) {
    const first = rest.shift();
    if (first === undefined) break;
    if (first.length > left) rest.unshift(first.subarray(left));
    taken.push(first.subarray(0, left));
    left -= Math.min(left, first.length);
  }
  return taken;
}

/** A body that arrives. */
export interface ArrivingBody<Body> {
  /** Takes the next bytes, which are the reader's again afterwards where it reads into memory of its own. */
  add(bytes: Uint8Array): void;
  readonly body: Body;
}

/** A frame whose JSON has arrived; without a message it is a part of a long body. */
interface Frame<Message, Body> {
  readonly message: Message | undefined;
  readonly arriving: ArrivingBody<Body> | undefined;
  /** Bytes that belong to it and have not arrived. */
  left: number;
}

/** Returns a function that takes bytes as they arrive and calls back with every message. */
export function frameReceiver<Message, Body>(
  createBody: (size: number) => ArrivingBody<Body>,
  onMessage: (message: Message, body: Body | undefined) => void,
): (chunk: Buffer) => void {
  /** Too few bytes to begin a frame. */
  let start = Buffer.alloc(0);
  let frame: Frame<Message, Body> | undefined;
  let long: ArrivingBody<Body> | undefined;

  /** Begins the frame at the start of bytes; returns what is behind its JSON, or undefined where that has not arrived. */
  function begin(bytes: Buffer): Buffer | undefined {
    if (bytes.length < headSize) return undefined;
    const [jsonSize, left, size] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
    const end = headSize + jsonSize;
    if (bytes.length < end) return undefined;
    const message =
      jsonSize === 0 ? undefined : (JSON.parse(bytes.toString('utf8', headSize, end)) as Message);
    frame = { message, left, arriving: size === 0 ? undefined : arrivingFor(message, left, size) };
    return bytes.subarray(end);
  }

  /** Finds the body that the bytes of a frame belong to: one of its own, or the long one that goes in parts. */
  function arrivingFor(message: Message | undefined, bytes: number, size: number): ArrivingBody<Body> {
    if (bytes === size) return createBody(size);
    const body = long ?? createBody(size);
    long = message === undefined ? body : undefined;
    return body;
  }

  return (chunk) => {
    let bytes = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
    for (;;) {
      const behind = frame === undefined ? begin(bytes) : bytes;
      if (behind === undefined || frame === undefined) break;
      const { message, arriving, left } = frame;
      bytes = behind.subarray(left);
      if (left > 0) arriving?.add(behind.subarray(0, left));
      frame.left -= behind.length - bytes.length;
      if (frame.left > 0) break;
      frame = undefined;
      if (message !== undefined) onMessage(message, arriving?.body);
    }
    start = Buffer.from(bytes);
  };
}

/** A body of which the parts stay as they arrive. */
export function bodyInParts(): ArrivingBody<Uint8Array[]> {
  const body: Uint8Array[] = [];
  return { body, add: (bytes) => void body.push(bytes) };
}

/** A body in one piece, which is copied out of what it arrives in. */
export function bodyInOne(size: number): ArrivingBody<Buffer> {
  const body = Buffer.allocUnsafe(size);
  let filled = 0;
  return {
    body,
    add(bytes) {
      body.set(bytes, filled);
      filled += bytes.length;
    },
  };
}
