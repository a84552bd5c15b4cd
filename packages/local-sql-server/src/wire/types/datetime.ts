/** datetime and smalldatetime: DATETIMN 0x6F, DATETIME 0x3D, DATETIM4 0x3A (MS-TDS 2.2.5.5.1.7): days from 1900, then 1/300 s or minutes. */
import { ProtocolError } from '../protocol-error.ts';
import { DAYS_TO_1900, fromDays, fromTicks, splitDateTime, toDays, toTicks } from './calendar.ts';
import { byteLengthEncoder, mustBeText, sizedDecoders } from './codec.ts';

const DATETIMN = 0x6f;
const PER_SECOND = 300;
const PER_DAY = 86_400 * PER_SECOND;
const MINUTES_PER_DAY = 1440;
const FIRST_DAY = toDays('1753-01-01') - DAYS_TO_1900;
const LAST_DAY = toDays('9999-12-31') - DAYS_TO_1900;

/** Values are text. */
export const datetimeEncoders = {
  smalldatetime: byteLengthEncoder(
    [DATETIMN, 4],
    4,
    (out, value) => {
      const { date, time } = splitDateTime(mustBeText(value));
      out.uint16(toDays(date) - DAYS_TO_1900);
      out.uint16(Math.floor(toTicks(time, 0) / 60));
    },
    0x3a,
  ),
  datetime: byteLengthEncoder(
    [DATETIMN, 8],
    8,
    (out, value) => {
      const { date, time } = splitDateTime(mustBeText(value));
      out.int32(toDays(date) - DAYS_TO_1900);
      out.uint32(Math.round((toTicks(time, 3) * PER_SECOND) / 1000));
    },
    0x3d,
  ),
};

function readDateTime(value: Buffer): string {
  const days = value.readInt32LE(0);
  const ticks = value.readUInt32LE(4);
  if (days < FIRST_DAY || days > LAST_DAY || ticks >= PER_DAY) {
    throw new ProtocolError('Cannot read a datetime: it is outside of 1753-01-01 to 9999-12-31');
  }
  return `${fromDays(days + DAYS_TO_1900)} ${fromTicks(Math.round((ticks * 1000) / PER_SECOND), 3)}`;
}

function readSmallDateTime(value: Buffer): string {
  const minutes = value.readUInt16LE(2);
  if (minutes >= MINUTES_PER_DAY)
    throw new ProtocolError('Cannot read a smalldatetime: its time is after 23:59');
  return `${fromDays(value.readUInt16LE(0) + DAYS_TO_1900)} ${fromTicks(minutes * 60, 0)}`;
}

export const datetimeDecoders = sizedDecoders(DATETIMN, {
  4: { type: { name: 'smalldatetime' }, fixed: 0x3a, read: readSmallDateTime },
  8: { type: { name: 'datetime' }, fixed: 0x3d, read: readDateTime },
});
