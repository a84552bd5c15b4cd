/** The packet header (MS-TDS 2.2.3.1): type, status, length (big-endian, header included), process id, packet number, window. */
import { ProtocolError } from './protocol-error.ts';

export const HEADER_LENGTH = 8;
export const MINIMUM_PACKET_SIZE = 512;
export const DEFAULT_PACKET_SIZE = 4096;
export const MAXIMUM_PACKET_SIZE = 32_767;

/** What a message is (MS-TDS 2.2.3.1.1). */
export const PacketType = {
  sqlBatch: 0x01,
  rpc: 0x03,
  reply: 0x04,
  attention: 0x06,
  bulkLoad: 0x07,
  federatedAuthToken: 0x08,
  transactionManager: 0x0e,
  login7: 0x10,
  sspi: 0x11,
  prelogin: 0x12,
} as const;

/** Bits of the header's second byte (MS-TDS 2.2.3.1.2). */
export const PacketStatus = {
  endOfMessage: 0x01,
  ignore: 0x02,
  resetConnection: 0x08,
  resetConnectionKeepTransaction: 0x10,
} as const;

const CLIENT_TYPES: ReadonlySet<number> = new Set(
  Object.values(PacketType).filter((type) => type !== PacketType.reply),
);

const TLS_HANDSHAKE = 0x16;

export interface PacketHeader {
  readonly type: number;
  readonly status: number;
  /** Bytes of the whole packet. */
  readonly length: number;
}

/** Reads a client's packet header; throws a `ProtocolError` for anything that no client of SQL Server sends. */
export function readPacketHeader(bytes: Buffer, offset: number): PacketHeader {
  const type = bytes.readUInt8(offset);
  const status = bytes.readUInt8(offset + 1);
  const length = bytes.readUInt16BE(offset + 2);
  if (type === TLS_HANDSHAKE)
    throw new ProtocolError(
      'The client starts TLS at once (Encrypt=Strict), which this server does not have',
    );
  if (!CLIENT_TYPES.has(type)) throw new ProtocolError(`Cannot read a packet: its type is ${type}`);
  if (length < HEADER_LENGTH) throw new ProtocolError(`Cannot read a packet: its length is ${length}`);
  return { type, status, length };
}

/** Writes the header of a reply packet at `offset`. */
export function writePacketHeader(
  bytes: Buffer,
  offset: number,
  header: { status: number; length: number; processId: number; packetId: number },
): void {
  bytes.writeUInt8(PacketType.reply, offset);
  bytes.writeUInt8(header.status, offset + 1);
  bytes.writeUInt16BE(header.length, offset + 2);
  bytes.writeUInt16BE(header.processId & 0xffff, offset + 4);
  bytes.writeUInt8(header.packetId & 0xff, offset + 6);
  bytes.writeUInt8(0, offset + 7);
}
