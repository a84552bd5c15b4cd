/** docs/first-custom-source.md, word for word: its shell lines run as they stand there. */

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writeIssuerFile, writeRunning } from '../../local/index.ts';
import { useApp } from '../support/app.ts';

const root = join(import.meta.dirname, '../..');
const app = useApp();

const page = readFileSync(join(root, 'docs/first-custom-source.md'), 'utf8');
const blocks = [...page.matchAll(/```sh\n([^`]+)```/g)].map(([, block = '']) => block);
const canRun = spawnSync('sh', ['-c', 'command -v curl']).status === 0;

/** Runs lines in a shell, in the project's folder, beside a start with this state; gives what they print. */
async function run(lines: string, folder: string): Promise<string> {
  const here = lines.replaceAll('http://localhost:7071/api', app.base);
  const shell = spawn(
    'sh',
    ['-e', '-c', `curl() { command curl --silent --show-error --fail "$@"; echo; }\n${here}`],
    {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LOCAL_STATE: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return text(shell.stdout);
}

describe.runIf(canRun)('the first custom source', () => {
  test('is there, read and replaced, without a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'first-source-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { identity } = app.stack;
    const [tenantId = ''] = identity.authority.split('/').slice(-2);
    const clientId = app.stack.settings['AppRegistration__ClientId'] ?? '';
    const keyId = identity.keyRing.current().keyId;
    writeIssuerFile(folder, { url: identity.url, tenantId, clientId, keyId });
    writeRunning(folder, app.stack);
    expect(blocks).toHaveLength(2);
    expect(await run(blocks[0] ?? '', folder)).toBe('');
    const lines = (await run(blocks[1] ?? '', folder)).split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ contacts: [] });
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({
      contacts: [
        { name: 'Ida Holm', phone: '555 0100' },
        { name: 'Stone & Sons', phone: null },
      ],
    });
    expect(lines.slice(3).join('\n')).toContain('Ida Holm');
    // What the text names is there as well.
    const [, path = ''] = /^CASE=.*\/api(\S+)$/m.exec(blocks[1] ?? '') ?? [];
    const named = [...page.matchAll(/`((?:\$CASE|\/journalized-cases)[^`<]*)`/g)].map(([, address = '']) =>
      address.replace('$CASE', path).replace(/^(?=\/journalized-cases)/, '/v8.0'),
    );
    expect(named).toHaveLength(3);
    const token = app.token('alice@example.org');
    for (const address of named)
      expect([address, (await app.call('GET', address, { token })).status]).toEqual([address, 200]);
    expect(page.split('\n').length).toBeLessThanOrEqual(46);
  });
});
