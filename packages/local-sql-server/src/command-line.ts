/** The command line of the process. */
import { parseArgs } from 'node:util';

export const usage = `Usage: node packages/local-sql-server/src/main.ts (--folder <path> | --memory) [options]

Starts the local SQL server on 127.0.0.1 and prints {"port":<number>} when it is ready.

  --folder <path>         keeps the databases in this folder
  --memory                keeps nothing
  --database <name>       a database to have; give it once for each
  --login <user:password> a SQL login; give it once for each
  --issuer <address>      accepts tokens of this authority, such as http://127.0.0.1:7072/<tenant>/v2.0
  --port <number>         0 (default) for any free one
  --help                  prints this`;

export interface CommandLine {
  /** Undefined: nothing is kept. */
  readonly folder: string | undefined;
  readonly databases: readonly string[];
  /** Passwords by user. */
  readonly users: Readonly<Record<string, string>>;
  readonly issuer: string | undefined;
  readonly port: number;
}

/** Wrong use of the command; the message is for its user. */
export class UsageError extends Error {}

const options = {
  folder: { type: 'string' },
  memory: { type: 'boolean' },
  database: { type: 'string', multiple: true },
  login: { type: 'string', multiple: true },
  issuer: { type: 'string' },
  port: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the arguments behind the script's name; `undefined` asks for help, and a `UsageError` is thrown for a fault. */
export function readCommandLine(argv: readonly string[]): CommandLine | undefined {
  const { values } = parse(argv);
  if (values.help) return undefined;
  const { folder, memory = false, database = [], login = [], issuer, port = '0' } = values;
  if ((folder !== undefined) === memory) throw new UsageError('Give either --folder or --memory.');
  if (database.length === 0) throw new UsageError('Give at least one --database.');
  if (login.length === 0 && issuer === undefined)
    throw new UsageError('Give at least one --login, or an --issuer.');
  return {
    folder,
    databases: database,
    users: Object.fromEntries(login.map(readLogin)),
    issuer,
    port: readPort(port),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The rest of the message explains how to pass such an argument as a value.
    throw new UsageError(`${error.message.split('. ', 1)[0]?.replace(/\.$/, '')}.`, { cause: error });
  }
}

function readLogin(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw new UsageError('A --login has the form user:password.');
  return [text.slice(0, colon), text.slice(colon + 1)];
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535, not "${text}".`);
  }
  return port;
}
