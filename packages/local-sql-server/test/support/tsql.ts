/** `tsql` of FreeTDS (Debian package freetds-bin): a client that shares no code with ours. */
import { spawn, spawnSync } from 'node:child_process';

/** False where it is not installed; tests that need it do not run there, and say so. */
export const tsqlInstalled = spawnSync('tsql', ['-C']).status === 0;

export interface TsqlLogin {
  readonly server: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** A file in the place of `freetds.conf`. */
  readonly configuration?: string;
}

export interface Outcome {
  /** Rows, their values parted by tabs, with the column names first. */
  readonly lines: string[];
  readonly errors: string[];
}

/** Runs a script, whose batches end with `go`, and returns what it prints, without greeting and prompts. */
export async function tsql(login: TsqlLogin, script: string): Promise<Outcome> {
  const client = spawn(
    'tsql',
    [
      '-H',
      login.server,
      '-p',
      String(login.port),
      '-U',
      login.user,
      '-P',
      login.password,
      '-D',
      login.database,
      '-o',
      'q',
    ],
    {
      env: {
        ...process.env,
        LC_ALL: 'C.UTF-8',
        TDSVER: '7.4',
        ...(login.configuration ? { FREETDSCONF: login.configuration } : {}),
      },
    },
  );
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  client.stdout.on('data', (chunk) => out.push(chunk));
  client.stderr.on('data', (chunk) => err.push(chunk));
  client.stdin.on('error', () => {});
  client.stdin.end(script);
  await new Promise((resolve) => client.once('close', resolve));
  return { lines: linesOf(out), errors: linesOf(err) };
}

function linesOf(chunks: Buffer[]): string[] {
  return Buffer.concat(chunks)
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '');
}
