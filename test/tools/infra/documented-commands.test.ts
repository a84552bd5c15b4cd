/** The commands that the pages show, and those of the workflows, can be typed as they stand, word for word. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Environment,
  type Environments,
  readEnvironment,
  type StackName,
  stackNames,
} from '../../../infra/deploy/environments.ts';
import { playTools, runDeploy } from '../../support/deploy-run.ts';
import { startAzure } from '../../support/deploying-machines.ts';
import {
  commandsOf,
  commandsOfWorkflow,
  type DocumentedCommand,
  placeholder,
} from '../../support/documented-commands.ts';
import { faultsOfCall } from '../../support/known-commands.ts';
import { faultsOfNpm, scriptOf } from '../../support/npm-commands.ts';
import { changesIn, made, quick, toolsOf, values } from './deploy/fixtures.ts';

const root = join(import.meta.dirname, '../../..');

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
  // The tool of Bicep is az.
  const tools = ['az', 'gh', 'npm', ...stackNames.filter((stack) => stack === 'terraform')];
  const kinds = tools.map((tool) => typed.filter((one) => one.tool === tool).length);
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

/** What keeps a deployment that fails from trying again. */
const always = ['--wait', '0', '--max-attempts', '1'];

/** The words of a deployment, with the environment that a sentence leaves out: the last one that was named. */
const wholeWords = (words: readonly string[], environment: string, isMention: boolean): readonly string[] =>
  !isMention || words.includes('--help') || words.includes('--environment')
    ? words
    : [...words, '--environment', environment];

/** A part of the file of an environment that a page tells its reader to write. */
interface DocumentedFile {
  readonly line: number;
  readonly name: string;
  readonly part: Partial<Environment>;
}

/** The parts that a page shows behind the name of the file, or behind an earlier part of the same section. */
function filesOf(page: string): DocumentedFile[] {
  const text = readFileSync(join(root, page), 'utf8');
  let name = '';
  return [
    ...text.matchAll(/^## .*$|`infra\/environments\/(\w+)\.json`|^ *```json\n([\s\S]*?)\n *```$/gm),
  ].flatMap(({ index, 0: all, 1: named, 2: json }) => {
    if (all.startsWith('## ')) name = '';
    if (named !== undefined) name = named;
    if (json === undefined || name === '') return [];
    const line = text.slice(0, index).split('\n').length;
    const filled = json.replaceAll('<owner>/<name>', 'owner/name').replaceAll(/<[^<>\n"]+>/g, placeholder);
    return [{ line, name, part: JSON.parse(filled) as Partial<Environment> }];
  });
}

/** The files of environments as a reader has written them up to a line of a page, each for one stack. */
function writtenUntil(files: readonly DocumentedFile[], line: number, stack: StackName): Environments {
  const written: Record<string, Environment> = {};
  for (const { name, part } of files.filter((file) => file.line <= line)) {
    const before = written[name] ?? { profile: '', stack, location: '', values: {}, entraValues: {} };
    written[name] = readEnvironment(
      name,
      JSON.stringify({
        ...before,
        ...part,
        stack,
        values: { ...before.values, ...part.values },
        entraValues: { ...before.entraValues, ...part.entraValues },
      }),
    );
  }
  return written;
}

/** The deployments that the others rely on: the first of each environment. */
const firstDeployments = (commands.get('docs/deploy.md') ?? []).filter(
  (command) => deployWords(command)?.[0] === 'all',
);

/** The first parts of files on docs/deploy.md, with which the environments of all pages begin. */
const firstFiles = filesOf('docs/deploy.md').filter(({ part }) => part.profile !== undefined);
const lineOf = ({ place }: DocumentedCommand) =>
  Number(/:(\d+)$/.exec(place)?.[1] ?? Number.MAX_SAFE_INTEGER);

const placesWithDeployments = [...commands].flatMap(([place, found]) =>
  found.some(isDeployment) ? [place] : [],
);

test('the pages show files of environments, whole ones and parts', () => {
  expect(firstFiles.map(({ name }) => name)).toEqual(['dev', 'prod', 'sandbox']);
  expect(pages.flatMap(filesOf).length).toBeGreaterThan(8);
});

describe.each(stackNames)('with %s', (stack) => {
  test.each(placesWithDeployments)(
    '%s: each deployment does what it shall, and the next finds what it has made',
    async (page) => {
      const { azure, machine } = await startAzure();
      azure.github.add('owner/name');
      const environments: Record<string, Environment> = {};
      const run = machine({ answer: true, environments });
      const isFirstPage = page === 'docs/deploy.md';
      const files = page.endsWith('.md') ? filesOf(page) : [];
      const before = isFirstPage ? [] : firstDeployments;
      let environment = 'prod';
      const failed: string[] = [];
      for (const command of [...before, ...(commands.get(page) ?? [])]) {
        const words = deployWords(command);
        if (words === undefined) continue;
        const here = before.includes(command) ? 0 : lineOf(command);
        const first = isFirstPage ? [] : firstFiles.map((file) => ({ ...file, line: 0 }));
        Object.assign(environments, writtenUntil([...first, ...files], here, stack));
        const whole = wholeWords(words, environment, command.isMention);
        if (whole.includes('--environment')) environment = whole[whole.indexOf('--environment') + 1] ?? '';
        const { code, failure } = await run(whole.length === 0 ? [] : [...whole, ...always]);
        if (code !== 0) failed.push(`${command.place}: ${whole.join(' ')}\n${failure}`);
      }
      expect(failed).toEqual([]);
      for (const words of azure.npmCalls) expect(await faultsOfNpm(words)).toEqual([]);
    },
  );
});

test('an environment in another subscription than the selected one is left as it is, and the cure is named', async () => {
  const selected = (name: string) => `if (call.startsWith('account show')) console.log('${name}');`;
  const tools = (name: string) => playTools(toolsOf(made, selected(name)));
  const first = tools('first');
  const provision = ['provision', '-e', 'dev', ...values, ...quick];
  expect((await runDeploy(provision, first)).code).toBe(0);
  const second = { ...tools('second'), folder: first.folder };
  const { code, stderr } = await runDeploy(provision, second);
  expect({ code, made: changesIn(second.calls()) }).toEqual({
    code: 2,
    made: [],
  });
  expect(stderr).toContain(': az account set --subscription first');
});
