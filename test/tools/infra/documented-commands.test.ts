/** The deployments that the documents show can be typed as they stand, word for word. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import roles from '../../../infra/facts/roles.json' with { type: 'json' };
import { playTools, runDeploy } from '../../support/deploy-run.ts';
import { answers, shellTools } from '../../support/fake-tools.ts';
import { az, databases, given, made, quick, values } from './deploy/fixtures.ts';

const read = (page: string) => readFileSync(join(import.meta.dirname, `../../../docs/${page}.md`), 'utf8');

const examples: Readonly<Record<string, string>> = {
  '<object id of the group>': '00000000-0000-0000-0000-000000000001',
  '<your e-mail address>': 'me@example.org',
  '<owner>/<name>': 'owner/name',
  '<name>': 'test',
};

/** Values that `...` stands for. */
const omitted = [...values, '--set', 'alertEmails=["operators@example.org"]'];

/** Lists the words of each deployment of an environment on a page, without comments. */
function deploymentsIn(page: string): string[][] {
  const lines = [...read(page).matchAll(/npm run deploy -- ((?:[^`\n\\]|\\\n)*)/g)];
  return lines.flatMap(([, parameters = '']) => {
    const filled = Object.entries(examples)
      .reduce((text, [from, to]) => text.replaceAll(from, to), parameters)
      .replaceAll(/<[^<>\n]*>|\s#.*|\\\n/g, (found) => (found.startsWith('<') ? 'x' : ' '));
    const words = shellWords(filled).flatMap((word) => (word === '...' ? omitted : [word]));
    return words.includes('--environment') ? [words] : [];
  });
}

/** Splits a command line as a POSIX shell does, without expansions. */
function shellWords(line: string): string[] {
  const words = line.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

const pages = ['deploy', 'run', 'restore', 'reference'] as const;
const commands = pages.flatMap((page) => deploymentsIn(page).map((words) => [page, words] as const));

test.each(commands)('docs/%s.md: %j', async (_, words) => {
  const environment = words[words.indexOf('--environment') + 1];
  const outputs = {
    ...made,
    ...databases,
    AZURE_ENV_NAME: environment,
    CALENDAR_PLACE: 'https://a.b/c/d',
    BACKUP_ACCOUNT_URL: 'https://b.b/',
    PICTURES_PLACE: 'https://p.b/c/d',
    BACKUP_BLOB_URL: 'https://q.b/',
    OBJECT_TYPES: 'deeds=4',
    OBJECT_METADATA: 'deeds',
    ROLE_ASSIGNMENTS: [],
    FUNCTION_APP_URL: 'https://app.b',
    GREEN_FUNCTION_APP_URL: 'https://green.b',
  };
  const before = words[0] === 'all' ? {} : given(outputs);
  const { code, stderr } = await runDeploy([...words, '--dry-run'], playTools({}), before);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('docs/deploy.md: the commands for the identities of the workflows give each what it needs and no more', () => {
  const [, block = ''] =
    /### The identities of the workflows[\s\S]*?```sh\n([\s\S]*?)```/.exec(read('deploy')) ?? [];
  const tools = shellTools({
    az: `${answers('identity show', 'PRINCIPAL')}\n${answers('account show', 'SUB')}`,
    gh: '',
  });
  const script = block.replace('<owner>/<name>', 'owner/name');
  const PATH = `${tools.folder}${delimiter}${process.env['PATH']}`;
  execFileSync('bash', ['-eu', '-c', script], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...process.env, PATH },
  });
  const calls = tools.calls();
  const after = (word: RegExp) =>
    calls.flatMap((call) => {
      const found = word.exec(call)?.[1];
      return found === undefined ? [] : [found];
    });
  expect(after(/federated-credential create .*--subject (\S+)/)).toEqual([
    'repo:owner/name:environment:prod-provision',
    'repo:owner/name:environment:preview',
  ]);
  expect(after(/role assignment create .*--role (Contributor|[A-Z][A-Za-z ]+?)(?: --|$)/)).toEqual([
    'Contributor',
    'Locks Contributor',
    'Role Based Access Control Administrator',
    'Deployment previewer',
  ]);
  const condition = after(/(--condition .*)$/)[0] ?? '';
  for (const name of ['Owner', 'Contributor', 'User Access Administrator'] as const)
    expect(condition).not.toContain(roles.roles[name]);
  expect(condition).toContain(roles.roles['Storage Table Data Contributor']);
  expect(after(/"Actions": (\[.*?\])/)).toEqual([
    '["*/read", "Microsoft.Resources/deployments/validate/action", "Microsoft.Resources/deployments/whatIf/action"]',
  ]);
  expect(
    after(/POST repos\/owner\/name\/environments\/(\S+)\/deployment-branch-policies --field name=main/),
  ).toEqual(['prod', 'prod-provision', 'prod-backup']);
});

test('an environment in another subscription than the selected one is left as it is, and the cure is named', async () => {
  const selected = (name: string) => `if (call.startsWith('account show')) console.log('${name}');`;
  const tools = (name: string) => playTools({ az: az(made, selected(name)) });
  const first = tools('first');
  const provision = ['provision', '-e', 'dev', ...values, ...quick];
  expect((await runDeploy(provision, first)).code).toBe(0);
  const second = { ...tools('second'), folder: first.folder };
  const { code, stderr } = await runDeploy(provision, second);
  expect({ code, made: second.calls().filter((call) => call.includes('sub create')) }).toEqual({
    code: 2,
    made: [],
  });
  expect(stderr).toContain(': az account set --subscription first');
});
