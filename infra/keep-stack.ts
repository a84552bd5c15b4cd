/**
 * `npm run keep-stack -- bicep|terraform`: takes the other stack out of the repository, for a team that keeps one. It changes the working
 * tree alone, all of it or nothing, so that somebody reads and commits the change.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explained, orUsage, readArguments, UsageError } from '../scripts/command-line.ts';
import { readEnvironments, type StackName, stackNames } from './deploy/environments.ts';

const root = join(import.meta.dirname, '..');

/** What a stack has in the repository. */
interface Parts {
  /** Files and folders that are its own. */
  readonly files: readonly string[];
  /** Files that have a line for each stack: those that this matches go. */
  readonly lines: RegExp;
  /** What goes of the text of files. */
  readonly texts: readonly (readonly [files: string, text: RegExp])[];
}

/** What both have, and one of them alone has not: rules and imports that compare them. */
const ofBoth = {
  files: ['infra/check/rules/parity.ts', 'infra/check/rules/same-plans.ts'],
  lines: /\bparity\b|\bsamePlans\b/,
};

/** The files that have a line for each stack. */
const registries = [
  'infra/check/main.ts',
  'infra/check/plan/sets.ts',
  'infra/check/rules/index.ts',
  'infra/deploy/stacks/index.ts',
  'test/engines/existing.test.ts',
  'test/engines/plans.test.ts',
  'test/support/infra-tools.ts',
];

/** Rules on what Azure would get, which read plans as Bicep's compiler writes them. */
const rulesOnPlans = ['alerts', 'capacity', 'gateway', 'network', 'outputs', 'providers', 'settings'];

const parts: Readonly<Record<StackName, Parts>> = {
  terraform: {
    files: [
      'infra/terraform',
      'infra/check/terraform',
      'infra/check/plan/terraform.ts',
      'infra/check/plan/azure-form.ts',
      'infra/check/plan/provider-types.ts',
      'infra/check/rules/terraform-traps.ts',
      'infra/deploy/stacks/terraform.ts',
      'infra/facts/terraform-arguments.json',
      'test/tools/infra/terraform-layer.test.ts',
      'test/tools/infra/deploy/terraform.test.ts',
    ],
    lines:
      /^import .*(?:\/terraform|terraform-traps)|^ *(?:terraform: \w+,|'terraform-traps': |\{ title: 'terraform'|terraform: 'version',)/,
    texts: [
      ['.github/workflows/*.yml', / {6}- uses: hashicorp\/setup-terraform@.*\n(?: {8,}.*\n)+/g],
      ['.github/workflows/*.yml', / {6}# Terraform signs in by itself\.\n(?: {6}ARM_\w+: .*\n)+/g],
      ['.github/workflows/judges.yml', /(?<=--framework bicep) terraform/g],
    ],
  },
  bicep: {
    files: [
      'infra/bicep',
      'infra/check/bicep',
      'infra/check/plan/bicep.ts',
      'infra/check/plan/arm-value.ts',
      ...['bicep', 'budget-start', 'deployments', 'drift'].map((file) => `infra/deploy/stacks/${file}.ts`),
      'infra/check/gateway',
      'infra/check/rules/gateway-access.ts',
      'infra/check/rules/views.ts',
      ...rulesOnPlans.map((rule) => `infra/check/rules/${rule}.ts`),
      'test/engines/bicep.test.ts',
      'test/tools/infra/bicep-layer.test.ts',
      'test/tools/infra/deploy/bicep.test.ts',
      '.github/workflows/preview.yml',
    ],
    lines: new RegExp(
      String.raw`^import .*/bicep|^ *(?:bicep: \w+,|\{ title: 'bicep|bicep: \(\) => bicep|if \(rule === 'compiler'\))|^(?:import \{ | {2})(?:${rulesOnPlans.join('|')})(?: \} from '\./.*|,)$`,
    ),
    texts: [
      ['.github/workflows/*.yml', / {6}- run: az bicep install.*\n/g],
      ['infra/check/rules/workflows.ts', /az bicep install, /g],
      ['infra/check/rules/workflows.ts', / {2}'?preview(?:\.yml)?'?: \{\n(?: {4}.*\n)+? {2}\},\n/g],
      ['.github/workflows/judges.yml', /bicep (?=terraform)/g],
    ],
  },
};

/** The files of the repository that git knows. */
const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' });
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Planted faults in what goes, files or texts, or that only a rule finds which goes. */
function faultsOf(stack: StackName, texts: ReadonlyMap<string, string>): string[] {
  const gone = stack === 'bicep' ? [...rulesOnPlans, 'compiler'].join('|') : 'terraform-traps';
  const rules = new RegExp(`^caught by: (?:parity|same-plans|${gone})$`, 'm');
  const folder = 'test/engines/planted-faults';
  return globSync(`${folder}/*.fault`, { cwd: root }).filter((file) => {
    const text = read(file);
    const [, place = '', from = ''] =
      /^file: (.*)\n[\s\S]*?^--- from\n([\s\S]*?)\n\+\+\+ to$/m.exec(text) ?? [];
    const isGone = parts[stack].files.some((path) => place === path || place.startsWith(`${path}/`));
    return rules.test(text) || isGone || texts.get(place)?.includes(from) === false;
  });
}

/** The new texts of files that stay, by their paths. Throws an error that names what is not as it was. */
function changes(stack: StackName): Map<string, string> {
  const changed = new Map<string, string>();
  const textOf = (file: string) => changed.get(file) ?? read(file);
  const ofCompiler = stack === 'bicep' ? ['test/engines/planted-faults.test.ts'] : [];
  for (const file of [...registries, ...ofCompiler]) {
    const lines = textOf(file).split('\n');
    const kept = lines.filter((line) => !parts[stack].lines.test(line) && !ofBoth.lines.test(line));
    if (kept.length === lines.length) throw new Error(`${file} has no line of ${stack} any longer.`);
    changed.set(file, kept.join('\n'));
  }
  for (const [pattern, text] of parts[stack].texts) {
    const files = globSync(pattern, { cwd: root }).filter(
      (file) => !parts[stack].files.includes(file) && textOf(file).search(text) >= 0,
    );
    if (files.length === 0) throw new Error(`Nothing in ${pattern} is like ${text} any longer.`);
    for (const file of files) changed.set(file, textOf(file).replaceAll(text, ''));
  }
  return changed;
}

/** Throws a UsageError where the change would be mixed with others, or an environment is one of the stack that goes. */
function mustBeFree(stack: StackName): void {
  if (git('status', '--porcelain').trim() !== '')
    throw new UsageError('There are changes that are not committed: commit or take them back first.');
  const deployed = Object.entries(readEnvironments()).filter(
    ([, environment]) => environment.stack === stack,
  );
  if (deployed.length > 0)
    throw new UsageError(
      `${deployed.map(([name]) => `infra/environments/${name}.json`).join(', ')}: deployed with ${stack}. Remove or move these environments first.`,
    );
}

/** Leaves one stack. */
function keep(kept: StackName): void {
  if (!stackNames.includes(kept)) throw new UsageError(`There is no infra/${kept} to keep.`);
  const [stack] = stackNames.filter((name) => name !== kept);
  if (stack === undefined) console.log(`There is only ${kept}: nothing to do.`);
  else remove(stack);
}

/** Takes a stack out: all texts are made before anything is written. */
function remove(stack: StackName): void {
  mustBeFree(stack);
  const texts = changes(stack);
  const files = [...parts[stack].files, ...ofBoth.files, ...faultsOf(stack, texts)];
  const missing = files.filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: is not there any longer.`);
  const count = git('ls-files', '--', ...files).split('\n').length - 1;
  for (const file of files) rmSync(join(root, file), { recursive: true });
  for (const [file, text] of texts) writeFileSync(join(root, file), text);
  console.log(`Removed ${count} files:\n${files.map((file) => `  ${file}`).join('\n')}`);
  console.log(`Changed ${texts.size} files:\n${[...texts.keys()].map((file) => `  ${file}`).join('\n')}`);
  const left = git('grep', '-ciI', stack, '--', ':!CHANGELOG.md').trim().split('\n');
  console.log(`Left, by lines that name ${stack}:\n${left.map((line) => `  ${line}`).join('\n')}`);
  console.log(
    'Now: npm run format, npm run check:infra -- --agree, npm run types, npm run lint, npm run test:tools -- infra, npm run test:engines -- existing planted-faults plans, all of which must pass. Then the lines that are left, in the pages first.',
  );
}

const command = 'npm run keep-stack';
const { positionals } = readArguments({
  command,
  help: `Takes the other stack out of the repository: its templates, its part of the check, of the deployment and of the workflows, and its tests.
It changes the working tree alone, and refuses where that has other changes.

  npm run keep-stack -- bicep         keeps Bicep
  npm run keep-stack -- terraform     keeps Terraform`,
  allowPositionals: true,
});
await explained(async () =>
  orUsage(command, () => {
    const [kept] = positionals;
    if (positionals.length !== 1 || (kept !== 'bicep' && kept !== 'terraform'))
      throw new UsageError('Name the stack to keep: bicep or terraform.');
    keep(kept);
  }),
);
