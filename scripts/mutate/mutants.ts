/** The mutants of a file: the same program with one small fault each. */

import { transformSync } from 'esbuild';
import { type Edit, mutators } from './mutators.ts';
import { type Node, parse, walk } from './syntax.ts';

export interface Mutant {
  readonly file: string;
  /** Line of the first change, counted from 1. */
  readonly line: number;
  readonly mutator: string;
  /** The lines that change, as they are and as the mutant has them. */
  readonly before: string;
  readonly after: string;
  /** The place of what changes in the text as it was, in characters. */
  readonly start: number;
  readonly end: number;
  /** The whole text of the mutated file. */
  readonly text: string;
}

/**
 * Returns the mutants of a file in the order of their places; with `isWanted` only some of them. What is no program, or one
 * that is there already, is left out.
 */
export function mutantsOf(
  file: string,
  source: string,
  isWanted: (mutant: Mutant) => boolean = () => true,
): Mutant[] {
  const program = parse(source, file);
  if (program === undefined) throw new Error(`Cannot mutate ${file}: it does not parse.`);
  const programs = new Set([normalForm(file, source)]);
  return editsOf(program, source)
    .map(({ mutator, edit }): Mutant => {
      const text = source.slice(0, edit.start) + edit.text + source.slice(edit.end);
      return { file, mutator, text, start: edit.start, end: edit.end, ...changedLines(source, edit) };
    })
    .filter(isWanted)
    .filter(({ text }) => {
      const form = normalForm(file, text);
      if (form === undefined || programs.has(form)) return false;
      programs.add(form);
      return true;
    });
}

function editsOf(program: Node, source: string): { mutator: string; edit: Edit }[] {
  const found: { mutator: string; edit: Edit }[] = [];
  const text = ({ start, end }: Node) => source.slice(start, end);
  walk(program, (node, place) => {
    for (const [mutator, propose] of Object.entries(mutators))
      for (const edit of propose(node, place, text)) found.push({ mutator, edit });
  });
  return found.sort((one, other) => one.edit.start - other.edit.start);
}

/** The program without what does not run: types, spaces, names of variables. Undefined for what esbuild refuses. */
function normalForm(file: string, text: string): string | undefined {
  try {
    return transformSync(text, {
      loader: file.endsWith('.tsx') ? 'tsx' : 'ts',
      minify: true,
      logLevel: 'silent',
    }).code;
  } catch {
    return undefined;
  }
}

function changedLines(source: string, { start, end, text }: Edit): Pick<Mutant, 'line' | 'before' | 'after'> {
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const next = source.indexOf('\n', end);
  const to = next === -1 ? source.length : next;
  return {
    line: source.slice(0, start).split('\n').length,
    before: source.slice(from, to),
    after: source.slice(from, start) + text + source.slice(end, to),
  };
}
