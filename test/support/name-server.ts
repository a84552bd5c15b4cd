/** A name server on this machine that knows some records, as a resolver asks it over UDP (RFC 1035). */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Records by `CNAME <name>` and `TXT <name>`. A name without any record is unknown; of `failing` names the server answers another code, or nothing (`silence`). */
export type Records = Readonly<Record<string, readonly string[]>>;

/** What the server says of a name instead of its records. */
export type Failing = Readonly<Record<string, 'SERVFAIL' | 'REFUSED' | 'FORMERR' | 'silence'>>;

const codes = { FORMERR: 1, SERVFAIL: 2, REFUSED: 5 };
const types: Readonly<Record<number, string>> = { 5: 'CNAME', 16: 'TXT' };

/** Starts the server. Returns its address, as `setServers` takes it. */
export async function startNameServer(records: Records, failing: Failing = {}) {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const reply = replyTo(query, records, failing);
    if (reply !== undefined) socket.send(reply, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  let isOpen = true;
  const close = () => {
    if (isOpen) socket.close();
    isOpen = false;
  };
  return { address: `127.0.0.1:${socket.address().port}`, close };
}

function replyTo(query: Buffer, records: Records, failing: Failing): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size));
    at += 1 + size;
  }
  const name = labels.join('.');
  const question = query.subarray(12, at + 5);
  const type = query.readUInt16BE(at + 1);
  const values = records[`${types[type]} ${name}`] ?? [];
  const isKnown = Object.keys(records).some((key) => key.endsWith(` ${name}`));
  const failure = failing[name];
  if (failure === 'silence') return undefined;
  const code = failure === undefined ? (isKnown ? 0 : 3) : codes[failure];
  const answers = values.map((value) => {
    const data = type === 5 ? encodedName(value) : encodedTexts(value);
    const answer = Buffer.alloc(12);
    answer.writeUInt16BE(0xc00c, 0);
    answer.writeUInt16BE(type, 2);
    answer.writeUInt16BE(1, 4);
    answer.writeUInt32BE(60, 6);
    answer.writeUInt16BE(data.length, 10);
    return Buffer.concat([answer, data]);
  });
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 + code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, question, ...answers]);
}

const counted = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
const encodedName = (name: string) => Buffer.concat([...name.split('.').map(counted), Buffer.from([0])]);
/** A text in strings of at most 20 octets, as a server may split it. */
const encodedTexts = (text: string) => Buffer.concat((text.match(/.{1,20}/g) ?? []).map(counted));
