/** ERROR 0xAA and INFO 0xAB (MS-TDS 2.2.7.10, 2.2.7.13). */
import type { Message } from '../../engine/session.ts';
import type { ByteWriter } from '../byte-writer.ts';

const ERROR = 0xaa;
const INFO = 0xab;
/** Messages up to this class inform, those above are errors. */
const MOST_INFORMATIONAL_CLASS = 10;
/** The longest message of SQL Server, in characters. */
const LONGEST = 4000;

/** The name that messages carry as their server. */
const SERVER_NAME = 'local';

/** Checks whether a message is an error. */
export function isError(message: Message): boolean {
  return message.class > MOST_INFORMATIONAL_CLASS;
}

/** Writes a message, as ERROR or INFO by its class. */
export function writeMessage(out: ByteWriter, message: Message): void {
  out.uint8(isError(message) ? ERROR : INFO);
  out.sized16(() => {
    out.int32(message.number);
    out.uint8(message.state & 0xff);
    out.uint8(message.class);
    out.text(message.message.slice(0, LONGEST));
    out.shortText(SERVER_NAME);
    out.shortText(message.procedure ?? '');
    out.uint32(message.line);
  });
}
