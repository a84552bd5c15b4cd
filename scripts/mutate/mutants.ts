/** The mutants of a file: the same program with one small fault each. */

import { hash } from 'node:crypto';
import { transformSync } from 'esbuild';
import { type Edit, type Mutator, mutators } from './mutators.ts';
import { type Node, parse, walk } from './syntax.ts';

export interface Mutant {
  readonly file: string;
  /** Line of the first change, counted from 1. */
  readonly line: number;
  readonly kind: string;
  /** The changed lines in the original and in the mutant. */
  readonly before: string;
  readonly after: string;
  /** The whole text of the mutated file. */
  readonly text: string;
}

/** Returns the mutants of a file in the order of their places. Leaves out invalid programs, and equal ones but the first. */
export function mutantsOf(file: string, source: string, kinds = Object.keys(mutators)): Mutant[] {
  const programs = new Set([undefined, normalForm(file, source)]);
  return proposalsOf(file, source, kinds)
    .toSorted((a, b) => a.edit.start - b.edit.start)
    .map(({ kind, edit }) => ({ file, kind, ...applyEdit(source, edit) }))
    .filter(({ text }) => {
      const program = normalForm(file, text);
      const isRepeat = programs.has(program);
      programs.add(program);
      return !isRepeat;
    });
}

function proposalsOf(file: string, source: string, kinds: readonly string[]) {
  const proposals: { kind: string; edit: Edit }[] = [];
  const sourceOf = ({ start, end }: Node) => source.slice(start, end);
  walk(parse(file, source), (node, parent, field) => {
    for (const kind of kinds) {
      const { types, edits } = mutators[kind] as Mutator;
      const proposed = types.test(node.type) ? edits(node, sourceOf, parent, field) : [];
      for (const edit of proposed)
        proposals.push({ kind, edit: typeof edit === 'string' ? { ...node, text: edit } : edit });
    }
  });
  return proposals;
}

/** Returns the program without types, spaces and names of variables; undefined for an invalid program. */
function normalForm(file: string, text: string): string | undefined {
  try {
    const loader = file.endsWith('.tsx') ? 'tsx' : 'ts';
    return transformSync(text, { loader, minify: true, logLevel: 'silent' }).code;
  } catch {
    return undefined;
  }
}

function applyEdit(source: string, { start, end, text }: Edit): Omit<Mutant, 'file' | 'kind'> {
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const [lineRest = ''] = source.slice(end).split('\n', 1);
  return {
    line: source.slice(0, start).split('\n').length,
    before: source.slice(from, end) + lineRest,
    after: source.slice(from, start) + text + lineRest,
    text: source.slice(0, start) + text + source.slice(end),
  };
}

/** Returns `size` of the mutants in their order, the same ones for the same seed. */
export function sample(mutants: readonly Mutant[], size: number, seed: number): Mutant[] {
  const keyOf = ({ text, ...mutant }: Mutant) => hash('sha256', `${[seed, ...Object.values(mutant)]}`);
  const chosen = new Set(mutants.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).slice(0, size));
  return mutants.filter((mutant) => chosen.has(mutant));
}
