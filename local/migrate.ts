/** Runs `npm run migrate` as a user would: in a process of its own, with the settings in its environment. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Creates the databases that the settings name where they are missing, and brings them up to date. The sample users are always there, since without users nobody can call. Rejects with what the script wrote when it fails. */
export async function migrate(
  settings: Readonly<Record<string, string>>,
  { sampleData }: { readonly sampleData: boolean },
): Promise<void> {
  const folders = [
    'infra/database',
    'local/sample-data/users',
    ...(sampleData ? ['local/sample-data/records'] : []),
  ];
  const child = fork(
    join(root, 'scripts', 'migrate.ts'),
    ['--create', '--quiet', ...folders.flatMap((folder) => ['--scripts', join(root, folder)])],
    {
      env: { PATH: process.env['PATH'], ...settings },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: ['--disable-warning=ExperimentalWarning'],
    },
  );
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => written.push(text));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0)
    throw new Error(`Cannot create the databases: the migration ended with ${code}.\n${written.join('')}`);
}
