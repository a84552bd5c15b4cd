/** Messages over the pipe between the host and its worker, in the order in which they are sent: JSON with an optional body of bytes. The real ones speak gRPC. */

import type { Writable } from 'node:stream';
import { sizeOf } from '../bytes.ts';

/** Bytes of the two sizes before each frame: of its JSON, and of the body behind that. */
const headSize = 8;

/** Bytes up to which frames are copied into one, which is cheaper than several writes. */
const maxCopied = 64 * 1024;

/** Sends messages; those of one turn of the event loop go out together. */
export class FrameSender<Message> {
  readonly #pipe: Writable;
  #frames: Uint8Array[] = [];

  constructor(pipe: Writable) {
    this.#pipe = pipe;
  }

  send(message: Message, body: readonly Uint8Array[] = []): void {
    if (this.#frames.length === 0) setImmediate(() => this.#flush());
    this.#frames.push(frameHead(JSON.stringify(message), sizeOf(body)), ...body);
  }

  #flush(): void {
    const frames = sizeOf(this.#frames) <= maxCopied ? [Buffer.concat(this.#frames)] : this.#frames;
    this.#frames = [];
    this.#pipe.cork();
    for (const frame of frames) this.#pipe.write(frame);
    this.#pipe.uncork();
  }
}

function frameHead(json: string, bodySize: number): Uint8Array {
  const jsonSize = Buffer.byteLength(json);
  const head = Buffer.allocUnsafe(headSize + jsonSize);
  head.writeUInt32LE(jsonSize, 0);
  head.writeUInt32LE(bodySize, 4);
  head.write(json, headSize);
  return head;
}

/** A body that arrives. */
export interface ArrivingBody<Body> {
  /** Takes the next bytes. A reader with one buffer for all reads overwrites them afterwards. */
  add(bytes: Uint8Array): void;
  readonly body: Body;
}

/** A frame whose JSON has arrived. */
interface Frame<Message, Body> {
  readonly message: Message;
  readonly arriving: ArrivingBody<Body> | undefined;
  /** Bytes of the body that have not arrived. */
  missing: number;
}

/** Returns a function that takes bytes as they arrive and calls back with every message. */
export function frameReceiver<Message, Body>(
  createBody: (size: number) => ArrivingBody<Body>,
  onMessage: (message: Message, body: Body | undefined) => void,
): (chunk: Buffer) => void {
  /** The beginning of a frame, up to an incomplete JSON. */
  let start = Buffer.alloc(0);
  let frame: Frame<Message, Body> | undefined;

  /** Reads the head of the next frame; returns the bytes behind it, or undefined where it is incomplete. */
  function readHead(bytes: Buffer): Buffer | undefined {
    if (bytes.length < headSize) return undefined;
    const end = headSize + bytes.readUInt32LE(0);
    if (bytes.length < end) return undefined;
    const missing = bytes.readUInt32LE(4);
    const message = JSON.parse(bytes.toString('utf8', headSize, end)) as Message;
    frame = { message, missing, arriving: missing === 0 ? undefined : createBody(missing) };
    return bytes.subarray(end);
  }

  return (chunk) => {
    let bytes = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
    for (;;) {
      const behindHead = frame === undefined ? readHead(bytes) : bytes;
      if (behindHead === undefined || frame === undefined) break;
      const { message, arriving, missing } = frame;
      bytes = behindHead.subarray(missing);
      arriving?.add(behindHead.subarray(0, missing));
      frame.missing -= behindHead.length - bytes.length;
      if (frame.missing > 0) break;
      frame = undefined;
      onMessage(message, arriving?.body);
    }
    start = Buffer.from(bytes);
  };
}

/** Creates a body whose parts are stored as they arrive. */
export function bodyInParts(): ArrivingBody<Uint8Array[]> {
  const body: Uint8Array[] = [];
  return { body, add: (bytes) => void body.push(bytes) };
}

/** Creates a body in one piece, copied out of the bytes that arrive. */
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
