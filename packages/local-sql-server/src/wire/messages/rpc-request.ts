/** RPC request (MS-TDS 2.2.6.6): a procedure by name or by number, and its parameters. */
import type { Parameter } from '../../engine/session.ts';
import { type Read, readShortText, readUInt8, readUInt16, readUnicode } from '../bytes.ts';
import { ProtocolError } from '../protocol-error.ts';
import { readDecoder, UnsupportedType } from '../types/type-table.ts';
import { readAllHeaders } from './all-headers.ts';

const BY_NUMBER = 0xffff;
const Status = { byReference: 0x01, useDefault: 0x02, encrypted: 0x08 } as const;
/** Both stand where the length of a parameter's name would, and part the calls of one message. */
const BATCH_FLAGS: ReadonlySet<number> = new Set([0xfe, 0xff]);

/** The procedures that clients call by number. */
const NAMES: readonly string[] = [
  '',
  'sp_cursor',
  'sp_cursoropen',
  'sp_cursorprepare',
  'sp_cursorexecute',
  'sp_cursorprepexec',
  'sp_cursorunprepare',
  'sp_cursorfetch',
  'sp_cursoroption',
  'sp_cursorclose',
  'sp_executesql',
  'sp_prepare',
  'sp_execute',
  'sp_prepexec',
  'sp_prepexecrpc',
  'sp_unprepare',
];

export interface RpcRequest {
  readonly descriptor: bigint;
  readonly procedure: string;
  readonly parameters: readonly Parameter[];
}

/** Reads a call; throws `UnsupportedType` for a parameter of an unsupported type or for a second call in the message. */
export function readRpcRequest(bytes: Buffer): RpcRequest {
  const headers = readAllHeaders(bytes, 0);
  const procedure = readProcedure(bytes, headers.offset);
  const flags = readUInt16(bytes, procedure.offset);
  const parameters: Parameter[] = [];
  for (let { offset } = flags; offset < bytes.length; ) {
    const parameter = readParameter(bytes, offset, parameters.length + 1);
    parameters.push(parameter.value);
    offset = parameter.offset;
  }
  return { descriptor: headers.value, procedure: procedure.value, parameters };
}

function readProcedure(bytes: Buffer, at: number): Read<string> {
  const length = readUInt16(bytes, at);
  if (length.value !== BY_NUMBER) return readUnicode(bytes, length.offset, length.value);
  const { value: number, offset } = readUInt16(bytes, length.offset);
  const name = NAMES[number];
  if (!name) throw new ProtocolError(`Cannot read a call: there is no procedure with the number ${number}`);
  return { value: name, offset };
}

function readParameter(bytes: Buffer, at: number, ordinal: number): Read<Parameter> {
  if (BATCH_FLAGS.has(readUInt8(bytes, at).value)) {
    throw new UnsupportedType('several calls in one message are not supported by the local SQL server');
  }
  const name = readShortText(bytes, at);
  const status = readUInt8(bytes, name.offset);
  if (status.value & Status.encrypted)
    throw unsupported(ordinal, name.value, 'encrypted values are not supported');
  const decoder = readParameterType(bytes, status.offset, ordinal, name.value);
  const value = decoder.value.value(bytes, decoder.offset);
  const parameter = {
    name: name.value,
    type: decoder.value.type,
    value: value.value,
    output: (status.value & Status.byReference) !== 0,
    useDefault: (status.value & Status.useDefault) !== 0,
  };
  return { value: parameter, offset: value.offset };
}

function readParameterType(bytes: Buffer, at: number, ordinal: number, name: string) {
  try {
    return readDecoder(bytes, at);
  } catch (error) {
    if (error instanceof UnsupportedType) throw unsupported(ordinal, name, error.message);
    throw error;
  }
}

function unsupported(ordinal: number, name: string, found: string): UnsupportedType {
  return new UnsupportedType(`Cannot read parameter ${ordinal} ("${name}"): ${found}`);
}
