import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkBicep } from '../../infra/check/bicep/layer.ts';
import { checkRules } from '../../infra/check/layers.ts';
import { planNames, refusedSets } from '../../infra/check/plan/sets.ts';
import { readFiles } from '../../infra/check/project.ts';
import { needsPlans, rules } from '../../infra/check/rules/index.ts';
import { hasInfraTools } from '../support/infra-tools.ts';

const files = readFiles();
const folder = join(import.meta.dirname, 'planted-faults');

/** A planted fault: one text in one file replaced by another, and the rule that must say so. */
interface Fault {
  readonly what: string;
  readonly file: string;
  readonly rule: string;
  readonly says: RegExp;
  readonly from: string;
  readonly to: string;
}

const form = /^(.*)\nfile: (.*)\ncaught by: (.*)\nsays: (.*)\n--- from\n([\s\S]*?)\n\+\+\+ to\n([\s\S]*)\n$/;

function readFault(file: string): Fault {
  const [, what = '', target = '', rule = '', says = '', from = '', to = ''] =
    form.exec(readFileSync(file, 'utf8')) ?? [];
  return { what, file: target, rule, says: new RegExp(says), from, to };
}

const faults = globSync('*.fault', { cwd: folder })
  .sort()
  .map((name) => [basename(name, '.fault'), readFault(join(folder, name))] as const);

test('every rule has a planted fault that it finds', () => {
  const covered = new Set(faults.map(([, { rule }]) => rule));
  expect(Object.keys(rules).filter((rule) => !covered.has(rule))).toEqual([]);
});

test.runIf(hasInfraTools)('the templates as they are have no fault', async () => {
  expect((await checkRules(files)).faults).toEqual([]);
});

/** The sets in the order in which most faults are found early: rules look at each set alone, but for those that compare all plans. */
function setsFor(rule: string): readonly (readonly string[])[] {
  if (!needsPlans(rule)) return [[]];
  if (rule === 'refusals') return Object.keys(refusedSets).map((name) => [name]);
  const first = rule === 'plans' ? ['prod'] : ['private', 'public', 'dev'];
  return [...new Set([...first, ...planNames])].map((name) => [name]);
}

/** Whether its rule finds a planted fault. */
async function isCaught({ file, rule, says, from, to }: Fault): Promise<boolean> {
  const text = files.get(file);
  if (text?.includes(from) !== true) throw new TypeError(`${file} does not have the text "${from}"`);
  const changed = new Map(files).set(
    file,
    text.replace(from, () => to),
  );
  if (rule === 'compiler') return (await checkBicep(changed)).faults.some((fault) => says.test(fault));
  for (const sets of setsFor(rule)) {
    const { faults } = await checkRules(changed, [rule], sets);
    if (faults.some((fault) => says.test(fault.replace(/ \([\w-]+\)$/, '')))) return true;
  }
  return false;
}

/** Faults are looked for a few at a time: most of the time is that of the tools. */
const atOnce = 3;
const queue = [...faults];
const caught = new Map<string, boolean>();

async function workOff(): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) caught.set(next[0], await isCaught(next[1]));
}

describe.runIf(hasInfraTools)('planted faults', () => {
  beforeAll(async () => {
    await Promise.all(Array.from({ length: atOnce }, workOff));
  });

  test.each(Object.entries(Object.groupBy(faults, ([, { rule }]) => rule)))(
    'are found by "%s"',
    (_, planted = []) => {
      expect(planted.map(([name]) => name).filter((name) => caught.get(name) !== true)).toEqual([]);
    },
  );
});
