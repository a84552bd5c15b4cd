/** The commands that the pages show, and those of the workflows, can be typed as they stand, word for word. */

import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import roles from '../../../infra/facts/roles.json' with { type: 'json' };
import { playTools, runDeploy } from '../../support/deploy-run.ts';
import { startAzure } from '../../support/deploying-machines.ts';
import { commandsOf, commandsOfWorkflow, type DocumentedCommand } from '../../support/documented-commands.ts';
import { answers, shellTools } from '../../support/fake-tools.ts';
import { faultsOfCall } from '../../support/known-commands.ts';
import { faultsOfNpm, scriptOf } from '../../support/npm-commands.ts';
import { az, made, quick, values } from './deploy/fixtures.ts';

const root = join(import.meta.dirname, '../../..');
const read = (page: string) => readFileSync(join(root, 'docs', `${page}.md`), 'utf8');

const pages = globSync(
  ['*.md', 'docs/**/*.md', 'infra/**/README.md', 'local/**/README.md', 'scripts/**/README.md'],
  { cwd: root, exclude: ['**/node_modules/**', 'CHANGELOG.md'] },
).sort();

const workflows = globSync('.github/workflows/*.yml', { cwd: root }).sort();

const commands = new Map([
  ...pages.map((page) => [page, commandsOf(page)] as const),
  ...workflows.map((file) => [file, commandsOfWorkflow(file)] as const),
]);

/** The words behind `npm run deploy --`; undefined for other commands. */
function deployWords({ tool, words }: DocumentedCommand): readonly string[] | undefined {
  const found = tool === 'npm' ? scriptOf(words) : '';
  return typeof found !== 'string' && found.script === 'deploy' ? found.own : undefined;
}

const typed = [...commands.values()].flat();
const isDeployment = (command: DocumentedCommand) => deployWords(command) !== undefined;

test('the pages show commands of every kind', () => {
  const kinds = ['az', 'gh', 'npm', 'terraform'].map(
    (tool) => typed.filter((one) => one.tool === tool).length,
  );
  expect(Math.min(...kinds)).toBeGreaterThan(2);
  expect(typed.filter(isDeployment).length).toBeGreaterThan(20);
});

const others = typed.filter((command) => !isDeployment(command));
const once = [
  ...new Map(others.map((command) => [[command.tool, ...command.words].join(' '), command])).values(),
];

test.concurrent.each(once.map((command) => [[command.tool, ...command.words].join(' '), command] as const))(
  'can be typed: %s',
  async (_, { place, tool, words, isMention }) => {
    const faults =
      tool === 'npm' ? await faultsOfNpm(words, { isMention }) : faultsOfCall(tool, words, { isMention });
    expect({ place, faults }).toEqual({ place, faults: [] });
  },
);

/** Values that `...` stands for. */
const omitted = [...values, '--set', 'alertEmails=["operators@example.org"]'];
/** What keeps a deployment that fails from trying again. */
const always = ['--wait', '0', '--max-attempts', '1'];
/** Steps that need values. */
const stepsWithValues = ['all', 'preflight', 'entra', 'provision', 'preview', 'drift'];

/** The words of a deployment, with those that a sentence or a workflow leaves out: the environment, which is the last one that was named, and the values. */
function wholeWords(words: readonly string[], environment: string, isMention: boolean): string[] {
  const whole = words.flatMap((word) => (word === '...' ? omitted : [word]));
  const [step] = whole;
  if (step === undefined || whole.includes('--help') || !isMention) return whole;
  const needsValues = stepsWithValues.includes(step) && !words.includes('...');
  return [
    ...whole,
    ...(whole.includes('--environment') ? [] : ['--environment', environment]),
    ...(needsValues ? omitted : []),
  ];
}

/** The deployments that the others rely on: the first of each environment. */
const firstDeployments = (commands.get('docs/deploy.md') ?? []).filter(
  (command) => deployWords(command)?.[0] === 'all',
);

const placesWithDeployments = [...commands].flatMap(([place, found]) =>
  found.some(isDeployment) ? [place] : [],
);

describe.each(['bicep', 'terraform'])('with %s', (stack) => {
  test.each(placesWithDeployments)(
    '%s: each deployment does what it shall, and the next finds what it has made',
    async (page) => {
      const { azure, machine } = await startAzure();
      const run = machine({ answer: true });
      const before = page === 'docs/deploy.md' ? [] : firstDeployments;
      let environment = 'prod';
      const failed: string[] = [];
      for (const command of [...before, ...(commands.get(page) ?? [])]) {
        const words = deployWords(command);
        if (words === undefined) continue;
        const whole = wholeWords(words, environment, command.isMention);
        if (whole.includes('--environment')) environment = whole[whole.indexOf('--environment') + 1] ?? '';
        const { code, failure } = await run(
          whole.length === 0 ? [] : [...whole, ...always, '--stack', stack],
        );
        if (code !== 0) failed.push(`${command.place}: ${whole.join(' ')}\n${failure}`);
      }
      expect(failed).toEqual([]);
      for (const words of azure.npmCalls) expect(await faultsOfNpm(words)).toEqual([]);
    },
  );
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
