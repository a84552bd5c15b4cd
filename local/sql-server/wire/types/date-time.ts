/** date, time, datetime2, datetimeoffset: 0x28 to 0x2B (MS-TDS 2.2.5.5.1.8): time in 3 to 5 bytes, date in 3, offset in 2. */
import type { SqlValue } from '../../engine/session.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { readUInt8 } from '../bytes.ts';
import { ProtocolError } from '../protocol-error.ts';
import { fromDays, fromTicks, splitDateTime, toDays, toTicks, twoDigits } from './calendar.ts';
import {
  byteLengthDecoder,
  byteLengthEncoder,
  type DecoderReader,
  type Encoder,
  mustBeText,
  wrongLength,
} from './codec.ts';

const TypeId = { date: 0x28, time: 0x29, datetime2: 0x2a, datetimeoffset: 0x2b } as const;
const DATE_LENGTH = 3;
const OFFSET_LENGTH = 2;
const MINUTES_PER_DAY = 1440;
const LAST_DAY = toDays('9999-12-31');

type ScaledName = 'time' | 'datetime2' | 'datetimeoffset';

function timeLength(scale: number): number {
  if (scale <= 2) return 3;
  return scale <= 4 ? 4 : 5;
}

export const dateEncoder: Encoder = byteLengthEncoder([TypeId.date], (out, value) => {
  out.uint8(DATE_LENGTH);
  out.uint(toDays(mustBeText(value)), DATE_LENGTH);
});

/** Returns the encoder of a type with a scale of 0 to 7 decimals; values are text. */
export function scaledTimeEncoder(name: ScaledName, scale: number): Encoder {
  const write = { time: writeTime, datetime2: writeDateTime2, datetimeoffset: writeDateTimeOffset }[name];
  return byteLengthEncoder([TypeId[name], scale], (out, value) => write(out, mustBeText(value), scale));
}

function writeTime(out: ByteWriter, text: string, scale: number): void {
  out.uint8(timeLength(scale));
  out.uint(toTicks(text, scale), timeLength(scale));
}

function writeDateTime2(out: ByteWriter, text: string, scale: number): void {
  const { date, time } = splitDateTime(text);
  out.uint8(timeLength(scale) + DATE_LENGTH);
  out.uint(toTicks(time, scale), timeLength(scale));
  out.uint(toDays(date), DATE_LENGTH);
}

/** The value is local time and offset; the wire carries UTC and the offset in minutes. */
function writeDateTimeOffset(out: ByteWriter, text: string, scale: number): void {
  const [local = '', zone = ''] = [text.slice(0, -7), text.slice(-6)];
  const offset = toMinutes(zone);
  const { date, time } = splitDateTime(local);
  const utc = shift(toDays(date), toTicks(time, scale), -offset, scale);
  out.uint8(timeLength(scale) + DATE_LENGTH + OFFSET_LENGTH);
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

function readDate(value: Buffer): SqlValue {
  if (value.length !== DATE_LENGTH) wrongLength('date', value.length);
  return fromDays(readDays(value, 0));
}

function readTime(value: Buffer, scale: number): SqlValue {
  return fromTicks(readTicks(value, scale), scale);
}

function readDateTime2(value: Buffer, scale: number): SqlValue {
  return `${fromDays(readDays(value, timeLength(scale)))} ${fromTicks(readTicks(value, scale), scale)}`;
}

function readDateTimeOffset(value: Buffer, scale: number): SqlValue {
  const days = readDays(value, timeLength(scale));
  const offset = value.readInt16LE(timeLength(scale) + DATE_LENGTH);
  if (Math.abs(offset) > 14 * 60)
    throw new ProtocolError(`Cannot read a time zone offset of ${offset} minutes`);
  const local = shift(days, readTicks(value, scale), offset, scale);
  if (local.days < 0 || local.days > LAST_DAY)
    throw new ProtocolError('Cannot read a date outside of years 1 to 9999');
  const zone = `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(Math.abs(offset) / 60))}:${twoDigits(Math.abs(offset) % 60)}`;
  return `${fromDays(local.days)} ${fromTicks(local.ticks, scale)} ${zone}`;
}

function scaled(
  name: ScaledName,
  extra: number,
  read: (value: Buffer, scale: number) => SqlValue,
): DecoderReader {
  return (bytes, at) => {
    const { value: scale, offset } = readUInt8(bytes, at);
    if (scale > 7) throw new ProtocolError(`Cannot read a ${name} type: its scale is ${scale}`);
    const decode = (value: Buffer) =>
      value.length === timeLength(scale) + extra ? read(value, scale) : wrongLength(name, value.length);
    return { value: byteLengthDecoder({ name, scale }, decode), offset };
  };
}

export const dateTimeDecoders: Readonly<Record<number, DecoderReader>> = {
  [TypeId.date]: (_bytes, offset) => ({ value: byteLengthDecoder({ name: 'date' }, readDate), offset }),
  [TypeId.time]: scaled('time', 0, readTime),
  [TypeId.datetime2]: scaled('datetime2', DATE_LENGTH, readDateTime2),
  [TypeId.datetimeoffset]: scaled('datetimeoffset', DATE_LENGTH + OFFSET_LENGTH, readDateTimeOffset),
};
