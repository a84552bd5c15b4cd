/** date, time, datetime2, datetimeoffset: 0x28 to 0x2B (MS-TDS 2.2.5.5.1.8): time in 3 to 5 bytes, date in 3, offset in 2. */
import type { ByteWriter } from '../byte-writer.ts';
import { readUInt8 } from '../bytes.ts';
import { ProtocolError } from '../protocol-error.ts';
import { fromDays, fromTicks, splitDateTime, toDays, toTicks, twoDigits } from './calendar.ts';
import {
  byteLengthDecoder,
  byteLengthEncoder,
  type DecoderReader,
  type Decoders,
  type Encoder,
  mustBeText,
} from './codec.ts';

const TypeId = { date: 0x28, time: 0x29, datetime2: 0x2a, datetimeoffset: 0x2b } as const;
const DATE_LENGTH = 3;
const OFFSET_LENGTH = 2;
const MINUTES_PER_DAY = 1440;
const MAX_OFFSET = 14 * 60;
const LAST_DAY = toDays('9999-12-31');

type ScaledName = 'time' | 'datetime2' | 'datetimeoffset';

const EXTRA_LENGTH = {
  time: 0,
  datetime2: DATE_LENGTH,
  datetimeoffset: DATE_LENGTH + OFFSET_LENGTH,
} as const;

function timeLength(scale: number): number {
  if (scale <= 2) return 3;
  return scale <= 4 ? 4 : 5;
}

export const dateEncoders = {
  date: byteLengthEncoder([TypeId.date], DATE_LENGTH, (out, value) =>
    out.uint(toDays(mustBeText(value)), DATE_LENGTH),
  ),
};

/** Returns the encoder of a type with a scale of 0 to 7 decimals; values are text. */
export function scaledTimeEncoder({ name, scale }: { name: ScaledName; scale: number }): Encoder {
  const write = { time: writeTime, datetime2: writeDateTime2, datetimeoffset: writeDateTimeOffset }[name];
  return byteLengthEncoder([TypeId[name], scale], timeLength(scale) + EXTRA_LENGTH[name], (out, value) =>
    write(out, mustBeText(value), scale),
  );
}

function writeTime(out: ByteWriter, text: string, scale: number): void {
  out.uint(toTicks(text, scale), timeLength(scale));
}

function writeDateTime2(out: ByteWriter, text: string, scale: number): void {
  const { date, time } = splitDateTime(text);
  out.uint(toTicks(time, scale), timeLength(scale));
  out.uint(toDays(date), DATE_LENGTH);
}

/** The value is local time and offset; the wire carries UTC and the offset in minutes. */
function writeDateTimeOffset(out: ByteWriter, text: string, scale: number): void {
  const offset = toMinutes(text.slice(-6));
  const { date, time } = splitDateTime(text.slice(0, -7));
  const utc = shift(toDays(date), toTicks(time, scale), -offset, scale);
  out.uint(utc.ticks, timeLength(scale));
  out.uint(utc.days, DATE_LENGTH);
  out.int16(offset);
}

function toMinutes(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) throw new TypeError(`Cannot encode ${JSON.stringify(zone)} as a time zone offset`);
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}

function shift(days: number, ticks: number, minutes: number, scale: number): { days: number; ticks: number } {
  const perMinute = 60 * 10 ** scale;
  const perDay = MINUTES_PER_DAY * perMinute;
  const shifted = ticks + minutes * perMinute;
  return { days: days + Math.floor(shifted / perDay), ticks: ((shifted % perDay) + perDay) % perDay };
}

function readDays(value: Buffer, at: number): number {
  const days = value.readUIntLE(at, DATE_LENGTH);
  if (days > LAST_DAY) throw new ProtocolError('Cannot read a date: it is after 9999-12-31');
  return days;
}

function readTicks(value: Buffer, scale: number): number {
  const ticks = value.readUIntLE(0, timeLength(scale));
  if (ticks >= 86_400 * 10 ** scale) throw new ProtocolError('Cannot read a time: it is after 23:59:59');
  return ticks;
}

function readDateTime2(value: Buffer, scale: number): string {
  return `${fromDays(readDays(value, timeLength(scale)))} ${fromTicks(readTicks(value, scale), scale)}`;
}

function readDateTimeOffset(value: Buffer, scale: number): string {
  const days = readDays(value, timeLength(scale));
  const offset = value.readInt16LE(timeLength(scale) + DATE_LENGTH);
  const minutes = Math.abs(offset);
  if (minutes > MAX_OFFSET) throw new ProtocolError(`Cannot read a time zone offset of ${offset} minutes`);
  const local = shift(days, readTicks(value, scale), offset, scale);
  if (local.days < 0 || local.days > LAST_DAY)
    throw new ProtocolError('Cannot read a date outside of years 1 to 9999');
  const zone = `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
  return `${fromDays(local.days)} ${fromTicks(local.ticks, scale)} ${zone}`;
}

function scaled(name: ScaledName, read: (value: Buffer, scale: number) => string): DecoderReader {
  return (bytes, at) => {
    const { value: scale, offset } = readUInt8(bytes, at);
    if (scale > 7) throw new ProtocolError(`Cannot read a ${name} type: its scale is ${scale}`);
    const length = timeLength(scale) + EXTRA_LENGTH[name];
    return { value: byteLengthDecoder({ name, scale }, [length], (value) => read(value, scale)), offset };
  };
}

const date = byteLengthDecoder({ name: 'date' }, [DATE_LENGTH], (value) => fromDays(readDays(value, 0)));

export const dateTimeDecoders: Decoders = {
  [TypeId.date]: (_bytes, offset) => ({ value: date, offset }),
  [TypeId.time]: scaled('time', (value, scale) => fromTicks(readTicks(value, scale), scale)),
  [TypeId.datetime2]: scaled('datetime2', readDateTime2),
  [TypeId.datetimeoffset]: scaled('datetimeoffset', readDateTimeOffset),
};
