/** RETURNVALUE 0xAC (MS-TDS 2.2.7.19). */
import type { SqlType, SqlValue } from '../../engine/session.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { encoderOf } from '../types/type-table.ts';

const TOKEN = 0xac;
const OUTPUT_PARAMETER = 0x01;
const NULLABLE = 0x0001;

export interface ReturnValue {
  /** Position among the call's parameters, from 0. */
  readonly ordinal: number;
  readonly name: string;
  readonly type: SqlType;
  readonly value: SqlValue;
}

/** Writes the value of an output parameter. */
export function writeReturnValue(out: ByteWriter, { ordinal, name, type, value }: ReturnValue): void {
  const encoder = encoderOf(type);
  out.uint8(TOKEN);
  out.uint16(ordinal);
  out.shortText(name);
  out.uint8(OUTPUT_PARAMETER);
  out.uint32(0);
  out.uint16(NULLABLE);
  encoder.typeInfo(out);
  encoder.value(out, value);
}
