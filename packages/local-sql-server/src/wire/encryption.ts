/** TLS inside of TDS (MS-TDS 3.3.5.2): the handshake travels in PRELOGIN packets, what follows as it is. */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { type SecureContext, TLSSocket } from 'node:tls';
import { HEADER_LENGTH, PacketStatus, PacketType } from './packet.ts';

const APPLICATION_DATA = 0x17;

/** Starts TLS as the server; what the client sends comes out of the stream in plain text, and replies go in so. */
export function encrypted(socket: Socket, secureContext: SecureContext): Duplex {
  const tls = new TLSSocket(new Handshake(socket), { isServer: true, secureContext });
  tls.on('error', () => socket.destroy());
  return tls;
}

/** Takes the handshake out of its packets and puts it into packets, until the client sends its first data. */
class Handshake extends Duplex {
  private readonly socket: Socket;
  private isOver = false;
  private rest: Buffer = Buffer.alloc(0);
  private readonly receive = (chunk: Buffer) => this.unpack(chunk);

  constructor(socket: Socket) {
    super();
    this.socket = socket;
    socket.on('data', this.receive);
    socket.once('close', () => this.destroy());
  }

  private unpack(chunk: Buffer): void {
    if (this.isOver) {
      this.pass(chunk);
      return;
    }
    this.rest = Buffer.concat([this.rest, chunk]);
    while (this.rest.length > 0) {
      if (this.rest[0] === APPLICATION_DATA) {
        this.isOver = true;
        this.pass(this.rest);
        return;
      }
      if (this.rest[0] !== PacketType.prelogin) {
        this.socket.destroy();
        return;
      }
      const length = this.rest.length < HEADER_LENGTH ? HEADER_LENGTH : this.rest.readUInt16BE(2);
      if (this.rest.length < Math.max(length, HEADER_LENGTH)) return;
      this.push(this.rest.subarray(HEADER_LENGTH, length));
      this.rest = this.rest.subarray(Math.max(length, HEADER_LENGTH));
    }
  }

  private pass(chunk: Buffer): void {
    if (!this.push(chunk)) this.socket.pause();
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (this.isOver) {
      this.socket.write(chunk, done);
      return;
    }
    const header = Buffer.from([PacketType.prelogin, PacketStatus.endOfMessage, 0, 0, 0, 0, 0, 0]);
    header.writeUInt16BE(HEADER_LENGTH + chunk.length, 2);
    this.socket.write(Buffer.concat([header, chunk]), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.socket.off('data', this.receive);
    done(error);
  }
}
