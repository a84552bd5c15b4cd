/** Compares what the lock files install with the advisories of the package registry. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { explained, readArguments } from './command-line.ts';

const root = join(import.meta.dirname, '..');

/** The folders with a lock file. */
const places = ['.', 'scripts/node', 'infra/check', 'test/engines', 'packages/client/generator'];

/** What `npm audit --json` says: vulnerable packages by their names, or why it has asked nobody. */
interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>;
  readonly message?: string;
  readonly error?: { readonly summary?: string };
}

interface Vulnerability {
  readonly severity: string;
  /** Advisories, and the names of vulnerable packages that it depends on. */
  readonly via: readonly (string | { readonly title: string; readonly url: string })[];
}

/** Asks for the advisories of a folder's lock file; of those that the app is built of alone, where `inApp` says so. */
async function audit(folder: string, inApp: boolean): Promise<Audit> {
  const parameters = [
    'audit',
    '--json',
    '--package-lock-only',
    ...(inApp ? ['--omit=dev', '--workspaces=false'] : []),
  ];
  const child = spawn('npm', parameters, {
    cwd: join(root, folder),
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  const ended = new Promise<string>((resolve) => {
    child.on('error', ({ message }) => resolve(message));
    child.on('close', (code) => resolve(`npm ended with ${code}`));
  });
  const [output, end] = await Promise.all([text(child.stdout), ended]);
  try {
    return JSON.parse(output) as Audit;
  } catch (error) {
    if (error instanceof SyntaxError) return { message: end };
    throw error;
  }
}

/** Tells the advisories of all lock files. Returns the exit status: 1 where there are any, 3 where nobody could be asked. */
async function compare(): Promise<number> {
  let status = 0;
  for (const folder of places) {
    const lock = join(folder, 'package-lock.json');
    const { vulnerabilities, message, error } = await audit(folder, false);
    if (vulnerabilities === undefined) {
      console.error(
        `${lock}: not compared, since the registry answers no advisories: ${message ?? error?.summary}`,
      );
      status = 3;
      continue;
    }
    const found = Object.entries(vulnerabilities);
    if (found.length === 0) {
      console.log(`${lock}: no advisory`);
      continue;
    }
    const inApp = (await audit(folder, true)).vulnerabilities ?? vulnerabilities;
    for (const [name, { severity, via }] of found) {
      const place = folder === '.' && name in inApp ? 'in the app' : 'for development';
      const reasons = via.map((item) =>
        typeof item === 'string' ? `by ${item}` : `${item.title} ${item.url}`,
      );
      console.error(`${lock}: ${name} (${severity}, ${place}): ${reasons.join('; ')}`);
    }
    if (status === 0) status = 1;
  }
  return status;
}

if (import.meta.main) {
  readArguments({
    command: 'npm run advisories',
    help: `Compares what the lock files install with the advisories of the package registry (npm audit).

  npm run advisories    takes no options

It ends with 1 where there are advisories, and with 3 where the registry answers none: then nothing was compared.`,
  });
  await explained(async () => {
    process.exitCode = await compare();
  });
}
