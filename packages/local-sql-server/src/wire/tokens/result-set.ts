/** COLMETADATA 0x81 and ROW 0xD1 (MS-TDS 2.2.7.4, 2.2.7.20). Columns that are never NULL have fixed-length types. */
import type { Column, SqlValue } from '../../engine/session.ts';
import type { ByteWriter } from '../byte-writer.ts';
import type { Encoder } from '../types/codec.ts';
import { encoderOf } from '../types/type-table.ts';

const COLUMNS = 0x81;
const ROW = 0xd1;
const Flag = { nullable: 0x0001, updatableUnknown: 0x0008, identity: 0x0010 } as const;

/** Writes the columns and returns the encoders of their values. */
export function writeColumns(out: ByteWriter, columns: readonly Column[]): Encoder[] {
  out.uint8(COLUMNS);
  out.uint16(columns.length);
  return columns.map((column) => {
    const nullableEncoder = encoderOf(column.type);
    const encoder = (column.nullable ? undefined : nullableEncoder.fixed) ?? nullableEncoder;
    out.uint32(0);
    out.uint16(
      Flag.updatableUnknown | (column.nullable ? Flag.nullable : 0) | (column.identity ? Flag.identity : 0),
    );
    encoder.typeInfo(out);
    out.shortText(column.name);
    return encoder;
  });
}

/** Writes a row under the columns whose encoders are given. */
export function writeRow(out: ByteWriter, encoders: readonly Encoder[], values: readonly SqlValue[]): void {
  if (values.length !== encoders.length) {
    throw new TypeError(`Cannot encode a row of ${values.length} values under ${encoders.length} columns`);
  }
  out.uint8(ROW);
  for (const [index, encoder] of encoders.entries()) encoder.value(out, values[index] ?? null);
}
