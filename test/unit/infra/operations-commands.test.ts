/** The commands of docs/operations.md, run by a shell on substitutes of the tools: each reaches its tool as a command that the tool has. */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FakeTools, fakeTools } from '../../support/fake-tools.ts';

const root = join(import.meta.dirname, '../../..');
const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8');

/** The options that commands of the tools have, as far as the page uses them; a command that is not here is none. */
const optionsOf: Readonly<Record<string, readonly string[]>> = {
  'az login': [],
  'az account set': ['subscription'],
  'az bicep upgrade': [],
  'az storage entity query': ['account-name', 'auth-mode', 'table-name', 'query', 'output'],
  'az storage entity delete': [],
  'az keyvault secret set': ['vault-name', 'name', 'file'],
  'az deployment sub what-if': ['location', 'parameters'],
  'az functionapp list-flexconsumption-locations': ['zone-redundant'],
  'az functionapp keys set': [],
  'az functionapp config appsettings delete': [],
  'az apim deletedservice purge': [],
  'az sql db restore': ['resource-group', 'server', 'name', 'dest-name', 'time'],
  'az sql db rename': ['resource-group', 'server', 'name', 'new-name'],
  'az ad app create': [],
  'az ad app list': ['display-name', 'query', 'output'],
  'az ad app delete': ['id'],
  'az ad app credential reset': ['id', 'display-name', 'end-date', 'append'],
  'az ad app credential delete': ['id', 'key-id'],
  'az ad sp create': [],
  'azd auth login': [],
  'azd env new': [],
  'azd env set': [],
  'azd up': [],
  'azd provision': [],
  'azd deploy': [],
  'azd pipeline config': [],
  'terraform plan': ['chdir', 'var-file', 'var'],
  'terraform state rm': ['chdir'],
  'terraform destroy': [],
  'npm run check:infra': [],
  'npm run deploy': [],
  'npm run calendar': [],
};

const placeholders = (text: string) => text.replaceAll(/<[^<>\n]*>/g, 'x');
const blocks = [...operations.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
  .filter(([, language]) => language === '')
  .map(([, , block = '']) => placeholders(block).replaceAll(/ \.\.\.(?=\s)/g, ''));
const inline = [...operations.matchAll(/`((?:az|azd|terraform) [^`]+)`/g)].map(([, command = '']) =>
  placeholders(command),
);

/** Runs lines in a shell that ends with the first failure, and gives what the tools were called with. */
function run(lines: string): { tools: FakeTools; error: string } {
  const tools = fakeTools({ az: '', azd: '', terraform: '', npm: '' });
  const { status, stderr } = spawnSync('sh', ['-euc', lines], {
    cwd: root,
    env: { ...process.env, PATH: `${tools.folder}${delimiter}${process.env['PATH']}` },
    encoding: 'utf8',
  });
  return { tools, error: status === 0 ? '' : stderr };
}

/** Says what a tool does not know of a call. */
function unknown(call: string): string[] {
  const words = call.split(' ').filter((word) => word !== '--');
  const names = words.filter((word) => !word.startsWith('-'));
  const name = Object.keys(optionsOf).find(
    (item) => names.slice(0, item.split(' ').length).join(' ') === item,
  );
  if (name === undefined) return [`${call}: there is no such command`];
  if (name.startsWith('npm')) return [];
  const options = words.flatMap((word) => /^--?([a-z-]+)/.exec(word)?.[1] ?? []);
  return options
    .filter((option) => !optionsOf[name]?.includes(option))
    .map((option) => `${name} has no option ${option}`);
}

describe('docs/operations.md', () => {
  test('has blocks of commands, and commands in its sentences', () => {
    expect([blocks.length > 8, inline.length > 15]).toEqual([true, true]);
  });

  test.each(blocks.map((block) => [block.split('\n')[0] ?? '', block]))('runs the block %s', (_, block) => {
    const { tools, error } = run(block);
    const lines = block.replaceAll('\\\n', ' ').split('\n');
    const commands = lines.filter((line) => /^\s*[a-z]/.test(line));
    expect({ error, calls: tools.calls().length }).toEqual({ error: '', calls: commands.length });
    expect(tools.calls().flatMap(unknown)).toEqual([]);
  });

  test('has only commands of the tools in its sentences', () => {
    const { tools, error } = run(inline.join('\n'));
    expect({ error, calls: tools.calls().length }).toEqual({ error: '', calls: inline.length });
    expect(tools.calls().flatMap(unknown)).toEqual([]);
  });

  test('names files and resources of Terraform that are there', () => {
    const files = [...operations.matchAll(/\b(infra\/[\w./-]+\.\w+)/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    const resources = [...operations.matchAll(/module\.(\w+)\.(\w+)\.(\w+)/g)];
    expect(resources.length).toBeGreaterThan(0);
    for (const [, module = '', type = '', symbol = ''] of resources)
      expect(readFileSync(join(root, `infra/terraform/modules/${module}/main.tf`), 'utf8')).toContain(
        `resource "${type}" "${symbol}"`,
      );
  });
});
