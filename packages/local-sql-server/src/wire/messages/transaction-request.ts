/** Transaction manager request (MS-TDS 2.2.6.9): begin, commit, rollback and savepoints without SQL. */
import type { IsolationLevel, TransactionRequest } from '../../engine/session.ts';
import { type Read, readUInt8, readUInt16, readUnicode } from '../bytes.ts';
import { readAllHeaders } from './all-headers.ts';

const Type = { begin: 5, commit: 7, rollback: 8, save: 9 } as const;
/** Of a commit or rollback: another transaction begins behind it. */
const BEGINS_ANOTHER = 0x01;

/** By number; 0 keeps the level of the session, 5 is SNAPSHOT, which this server lacks. */
const LEVELS: readonly (IsolationLevel | undefined)[] = [
  undefined,
  'read uncommitted',
  'read committed',
  'repeatable read',
  'serializable',
];
const SNAPSHOT = 5;

/** Reads a request about the transaction, with the descriptor of the one that the client is in; returns why where it is not supported. */
export function readTransactionRequest(bytes: Buffer): {
  readonly descriptor: bigint;
  readonly request: TransactionRequest | string;
} {
  const { value: descriptor, offset } = readAllHeaders(bytes, 0);
  const type = readUInt16(bytes, offset);
  return { descriptor, request: readBody(bytes, type) };
}

function readBody(bytes: Buffer, { value: type, offset }: Read<number>): TransactionRequest | string {
  if (type === Type.begin) return readBegin(bytes, offset);
  if (type === Type.save) return { action: 'save', name: readName(bytes, offset).value };
  if (type !== Type.commit && type !== Type.rollback)
    return 'Distributed transactions are not supported by the local SQL server.';
  const name = readName(bytes, offset);
  const flags = readUInt8(bytes, name.offset);
  const next = flags.value & BEGINS_ANOTHER ? readBegin(bytes, flags.offset) : undefined;
  if (typeof next === 'string') return next;
  return { action: type === Type.commit ? 'commit' : 'rollback', name: name.value, next };
}

function readBegin(bytes: Buffer, at: number): (TransactionRequest & { action: 'begin' }) | string {
  const level = readUInt8(bytes, at);
  if (level.value >= SNAPSHOT) return 'ISOLATION LEVEL SNAPSHOT is not supported by the local SQL server.';
  return {
    action: 'begin',
    name: readName(bytes, level.offset).value,
    isolation: LEVELS[level.value],
  };
}

/** Reads a name behind the number of its bytes. */
function readName(bytes: Buffer, at: number): Read<string> {
  const length = readUInt8(bytes, at);
  return readUnicode(bytes, length.offset, length.value / 2);
}
