import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openClients } from '../../../local/index.ts';
import { startIssuer } from '../../support/issuer.ts';
import { newFolder } from '../../support/temporary-folder.ts';
import { verifierFor } from '../../support/token-verifier.ts';

const scripts = join(import.meta.dirname, '../../../scripts');

/** Runs the script of the command. Returns its output. */
function token(folder: string, ...parameters: string[]): Promise<Said> {
  return run(folder, '--disable-warning=ExperimentalWarning', join(scripts, 'token.ts'), ...parameters);
}

interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(folder: string, ...parameters: string[]): Promise<Said> {
  return new Promise((resolve) => {
    const env = { ...process.env, LOCAL_STATE: folder, NO_COLOR: '1' };
    const child = execFile(process.execPath, parameters, { env }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

describe('npm run token', () => {
  test.each<[string[], object]>([
    [['alice@example.org'], { kind: 'user', email: 'alice@example.org', roles: ['Calendar.Editor'] }],
    [['zoe@example.org', '--v1', '--role', 'A', '--role', 'B'], { kind: 'user', roles: ['A', 'B'] }],
    [['--app'], { kind: 'application', roles: ['Service.Access'] }],
  ])('%j prints a token that the app accepts, and nothing else', async (parameters, caller) => {
    const folder = newFolder();
    const issuer = await startIssuer({ folder });
    const { code, stdout, stderr } = await token(folder, ...parameters);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    expect(await verifierFor(issuer)(stdout.trim())).toMatchObject(caller);
  });

  test('--client prints a name and a password that are worth a token', async () => {
    const folder = newFolder();
    const issuer = await startIssuer({ folder });
    const { stdout } = await token(folder, '--client', '--role', 'Calendar.Author');
    const [name = '', password = ''] = stdout.trim().split(':');
    for (const clients of [issuer.clients, openClients(folder)])
      expect(clients.rolesOf(name, password)).toEqual(['Calendar.Author']);
  });

  test('without a start the command sends no request', async () => {
    const runner = join(scripts, 'run.mjs');
    const { code, stderr } = await run(newFolder(), runner, 'scripts/token.ts', 'alice@example.org');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Cannot find the local issuer')]);
  });
});
