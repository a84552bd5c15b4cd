/** Transaction manager request (MS-TDS 2.2.6.9). */
import type { IsolationLevel } from '../../engine/session.ts';
import { type Read, readBytes, readUInt8, readUInt16, unicode } from '../bytes.ts';
import { ProtocolError } from '../protocol-error.ts';
import { readAllHeaders } from './all-headers.ts';

const Request = { begin: 5, commit: 7, rollback: 8, save: 9 } as const;
const BEGIN_ANOTHER = 0x01;

/** By number; 0 leaves the session's level as it is. */
const ISOLATION_LEVELS: readonly (IsolationLevel | undefined)[] = [
  undefined,
  'read uncommitted',
  'read committed',
  'repeatable read',
  'serializable',
  'snapshot',
];

interface Begin {
  readonly name: string;
  readonly isolation: IsolationLevel | undefined;
}

export interface TransactionRequest {
  readonly descriptor: bigint;
  readonly kind: keyof typeof Request | 'unsupported';
  readonly name: string;
  /** The isolation level of a `begin`. */
  readonly isolation: IsolationLevel | undefined;
  /** The transaction that begins at once after a commit or rollback. */
  readonly next: Begin | undefined;
}

/** Reads a request; those of distributed transactions are `unsupported`. */
export function readTransactionRequest(bytes: Buffer): TransactionRequest {
  const { value: descriptor, offset: at } = readAllHeaders(bytes, 0);
  const { value: type, offset } = readUInt16(bytes, at);
  const plain = { descriptor, isolation: undefined, next: undefined };
  switch (type) {
    case Request.begin:
      return { ...plain, kind: 'begin', ...readBegin(bytes, offset) };
    case Request.commit:
    case Request.rollback: {
      const name = readName(bytes, offset);
      const kind = type === Request.commit ? 'commit' : 'rollback';
      return { ...plain, kind, name: name.value, next: readNext(bytes, name.offset) };
    }
    case Request.save:
      return { ...plain, kind: 'save', name: readName(bytes, offset).value };
    default:
      return { ...plain, kind: 'unsupported', name: '' };
  }
}

function readNext(bytes: Buffer, at: number): Begin | undefined {
  const flags = readUInt8(bytes, at);
  return flags.value & BEGIN_ANOTHER ? readBegin(bytes, flags.offset) : undefined;
}

function readBegin(bytes: Buffer, at: number): Begin {
  const level = readUInt8(bytes, at);
  if (level.value >= ISOLATION_LEVELS.length) {
    throw new ProtocolError(`Cannot begin a transaction: there is no isolation level ${level.value}`);
  }
  return { name: readName(bytes, level.offset).value, isolation: ISOLATION_LEVELS[level.value] };
}

/** A name behind a byte that counts its bytes. */
function readName(bytes: Buffer, at: number): Read<string> {
  const length = readUInt8(bytes, at);
  const name = readBytes(bytes, length.offset, length.value);
  return { value: unicode(name.value), offset: name.offset };
}
