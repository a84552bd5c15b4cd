/** The conversation in INSIDE.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exchange } from '../support/raw-client.ts';
import { recordConversation } from '../support/recorded-conversation.ts';
import { ScriptedEngine } from '../support/scripted-engine.ts';
import { startWire } from '../support/wire-server.ts';

const page = readFileSync(join(import.meta.dirname, '../../INSIDE.md'), 'utf8');

/** The bytes of an example: of each line what stands before its explanation, which two spaces part. */
function example(name: string): string {
  const [, block = ''] = new RegExp(`\`\`\`tds ${name}\n(.*?)\`\`\``, 's').exec(page) ?? [];
  return block
    .split('\n')
    .map((line) => line.split('  ')[0]?.replaceAll(' ', ''))
    .join('');
}

/** The process id of a reply's header differs from connection to connection. */
function withoutProcessId(packet: string): string {
  return `${packet.slice(0, 8)}....${packet.slice(12)}`;
}

test('the conversation of INSIDE.md is what mssql says and what it is answered', async () => {
  await using server = await startWire(new ScriptedEngine());
  const requests = await recordConversation(server.port);
  const [prelogin, login, settings, batch] = requests;
  const messages = [prelogin, login, settings, batch].map((message) => message ?? Buffer.alloc(0));
  const answers = await exchange(server.port, messages);
  expect(batch?.toString('hex')).toBe(example('request'));
  expect(withoutProcessId(answers.at(-1)?.toString('hex') ?? '')).toBe(withoutProcessId(example('reply')));
});
