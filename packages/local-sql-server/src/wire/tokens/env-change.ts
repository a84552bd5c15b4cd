/** ENVCHANGE 0xE3 (MS-TDS 2.2.7.9): new and old value, as text or as bytes. */
import type { ByteWriter } from '../byte-writer.ts';

const TOKEN = 0xe3;
const Type = {
  database: 1,
  language: 2,
  packetSize: 4,
  collation: 7,
  begin: 8,
  commit: 9,
  rollback: 10,
  reset: 18,
} as const;

/** Writes the change of a setting that is text. */
export function writeTextChange(
  out: ByteWriter,
  type: 'database' | 'language' | 'packetSize',
  to: string,
  from: string,
): void {
  out.uint8(TOKEN);
  out.sized16(() => {
    out.uint8(Type[type]);
    out.shortText(to);
    out.shortText(from);
  });
}

/** Writes the collation of the database. */
export function writeCollationChange(out: ByteWriter, to: Buffer): void {
  writeBytesChange(out, Type.collation, to, Buffer.alloc(0));
}

/** Writes that a transaction began (its descriptor is the new value) or ended (the old value). */
export function writeTransactionChange(
  out: ByteWriter,
  type: 'begin' | 'commit' | 'rollback',
  descriptor: bigint,
): void {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(descriptor);
  const none = Buffer.alloc(0);
  if (type === 'begin') writeBytesChange(out, Type.begin, bytes, none);
  else writeBytesChange(out, Type[type], none, bytes);
}

/** Writes that the connection was reset, as the request's header asked. */
export function writeReset(out: ByteWriter): void {
  writeBytesChange(out, Type.reset, Buffer.alloc(0), Buffer.alloc(0));
}

function writeBytesChange(out: ByteWriter, type: number, to: Buffer, from: Buffer): void {
  out.uint8(TOKEN);
  out.sized16(() => {
    out.uint8(type);
    out.uint8(to.length);
    out.raw(to);
    out.uint8(from.length);
    out.raw(from);
  });
}
