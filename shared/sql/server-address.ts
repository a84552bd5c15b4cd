/** The ways to write DB_SERVER, as SQL Server's own clients accept them. */

import { settingError } from '../config.ts';
import type { CodedError } from '../errors.ts';

/** Where a SQL Server listens. A named instance has no port: its browser service tells it. */
export interface ServerAddress {
  readonly host: string;
  readonly port?: number;
  readonly instance?: string;
}

const pattern =
  /^(?:tcp:)?(?<host>[^\\,:\s]+|\[[0-9a-f:.]+\])(?:\\(?<instance>[^\\,\s]+))?(?:,(?<port>\d{1,5}))?$/i;

const localNames = new Set(['.', '(local)']);

/** Reads `host`, `host,port`, `host\instance` or `tcp:host,port`; throws `database-connection` for anything else. */
export function serverAddress(text: string): ServerAddress {
  const { host, instance, port } = pattern.exec(text.trim())?.groups ?? {};
  if (host === undefined || Number(port ?? 1433) > 65_535) throw notAnAddress();
  const name = localNames.has(host) ? 'localhost' : host.replace(/^\[|\]$/g, '');
  if (port !== undefined) return { host: name, port: Number(port) };
  return instance === undefined ? { host: name } : { host: name, instance };
}

function notAnAddress(): CodedError {
  return settingError('DB_SERVER', 'is not usable: it is not the address of a server', {
    hint: 'Write it as host, host,port or host\\instance.',
  });
}
