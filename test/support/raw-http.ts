/** Requests as bytes, for what no HTTP client sends. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { scaledByLoad } from './scaled-by-load.ts';

export interface RawReply {
  readonly status: number;
  /** By name in lower case; those of one name in order. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
  /** Whether `100 Continue` came before. */
  readonly continued: boolean;
  /** Whether the other side has closed the connection. */
  readonly closed: boolean;
}

/** Sends text, one byte for each character, and resolves with the reply when the connection closes, or has been open for too long. */
export async function sendRaw(url: string, text: string): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port || 80), hostname);
  let received = '';
  socket.setEncoding('latin1').on('data', (part) => {
    received += part;
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close').then(() => true);
  socket.write(text, 'latin1');
  const late = setTimeout(() => socket.destroy(), scaledByLoad(10_000));
  let cut = false;
  late.unref();
  socket.once('close', () => clearTimeout(late));
  socket.once('end', () => {
    cut = true;
  });
  await closed;
  return parseReply(received, cut);
}

function parseReply(text: string, closed: boolean): RawReply {
  const continued = text.startsWith('HTTP/1.1 100');
  const reply = continued ? text.slice(text.indexOf('\r\n\r\n') + 4) : text;
  const end = reply.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = reply.slice(0, Math.max(0, end)).split('\r\n');
  const headers: Record<string, string[]> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    headers[name] = [...(headers[name] ?? []), line.slice(colon + 1).trim()];
  }
  const chunked = headers['transfer-encoding']?.includes('chunked') ?? false;
  const rest = reply.slice(end + 4);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: chunked ? joinChunks(rest) : rest,
    continued,
    closed,
  };
}

function joinChunks(text: string): string {
  const end = text.indexOf('\r\n');
  const size = Number.parseInt(text.slice(0, end), 16);
  if (end === -1 || !(size > 0)) return '';
  const start = end + 2;
  return text.slice(start, start + size) + joinChunks(text.slice(start + size + 2));
}
