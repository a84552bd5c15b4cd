/** Cuts tokens into packets of the negotiated size and sends them no faster than the client reads. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { ByteWriter } from './byte-writer.ts';
import { DEFAULT_PACKET_SIZE, HEADER_LENGTH, PacketStatus, writePacketHeader } from './packet.ts';

/** Bytes gathered before whole packets are sent; larger means fewer system calls, smaller means a sooner first row. */
const FLUSH_AT = 64 * 1024;

/** Bytes of packets that are sent before other connections have their turn. */
const SLICE = 256 * 1024;

/**
 * The replies of one connection. Tokens are written to `tokens`; `flush` sends the packets that are full once there
 * is enough of them, and `end` sends the rest as the end of the message.
 */
export class ReplyWriter {
  readonly tokens = new ByteWriter();
  private packetId = 0;
  /** Where packets go: the socket, or an encrypted stream over it. */
  stream: Duplex;
  private readonly processId: number;

  constructor(socket: Socket, processId: number) {
    this.stream = socket;
    this.processId = processId;
    this.packetSize = DEFAULT_PACKET_SIZE;
  }

  /** Sets the bytes of a packet, header included; changes take effect with the next message. */
  set packetSize(size: number) {
    this.tokens.packetBody = size - HEADER_LENGTH;
  }

  /** True when enough is gathered that `flush` would send. */
  get full(): boolean {
    return this.tokens.length >= FLUSH_AT;
  }

  /** Sends the full packets and waits until the client has taken them; lets other connections have their turn meanwhile. */
  async flush(): Promise<void> {
    const body = this.tokens.packetBody;
    const flushed = Math.floor((this.tokens.length - 1) / body) * body;
    const slice = Math.ceil(SLICE / body) * body;
    for (let from = 0; from < flushed; from += slice) {
      await this.send(this.packets(from, Math.min(from + slice, flushed), false));
      await turn();
    }
    const rest = Buffer.from(this.tokens.view(flushed));
    this.tokens.clear();
    this.tokens.raw(rest);
  }

  /** Sends what there is, the last packet in part, and waits until the client has taken it; the message goes on. */
  async sendNow(): Promise<void> {
    await this.flush();
    const packets = this.packets(0, this.tokens.length, false);
    this.tokens.clear();
    await this.send(packets);
  }

  /** Sends everything that is left and marks the end of the message. */
  async end(): Promise<void> {
    const packets = this.packets(0, this.tokens.length, true);
    this.tokens.clear();
    this.packetId = 0;
    await this.send(packets);
  }

  private packets(start: number, end: number, last: boolean): Buffer {
    const body = this.tokens.packetBody;
    const count = Math.max(1, Math.ceil((end - start) / body));
    const packets = Buffer.allocUnsafe(end - start + count * HEADER_LENGTH);
    for (let index = 0, from = start, at = 0; index < count; index++) {
      const part = this.tokens.view(from, Math.min(from + body, end));
      const status = last && index === count - 1 ? PacketStatus.endOfMessage : 0;
      const packetId = ++this.packetId;
      const size = HEADER_LENGTH + part.length;
      writePacketHeader(packets, at, { status, length: size, processId: this.processId, packetId });
      part.copy(packets, at + HEADER_LENGTH);
      from += body;
      at += size;
    }
    return packets;
  }

  private async send(packets: Buffer): Promise<void> {
    const { stream } = this;
    if (stream.destroyed || stream.write(packets)) return;
    await new Promise<void>((resolve) => {
      const proceed = () => {
        stream.off('drain', proceed).off('close', proceed);
        resolve();
      };
      stream.on('drain', proceed).on('close', proceed);
    });
  }
}
