/** Finding out which parts of a file run: every function and every branch says so when it is entered. */

import { type Node, type Place, parse, walk } from './syntax.ts';

/** A part of a file that runs as a whole or not at all: a place in characters. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

export interface Instrumented {
  readonly regions: readonly Region[];
  /** The same program, which calls `__hit` with the number of each region that it enters. */
  readonly text: string;
}

interface Insertion {
  readonly at: number;
  readonly text: string;
  /** Ends stand before beginnings at one place; of ends the inner one is first, of beginnings the outer one. */
  readonly order: number;
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Returns a file that tells what runs of it, its regions counted from a number on. Undefined when it does not parse. */
export function instrument(file: string, source: string, from: number): Instrumented | undefined {
  const program = parse(source, file);
  if (program === undefined) return undefined;
  const regions: Region[] = [];
  const insertions: Insertion[] = [];
  walk(program, (node, place) => {
    const region = regionOf(node, place);
    if (region === undefined) return;
    const hit = `globalThis.__hit?.(${from + regions.length})`;
    regions.push(region);
    insertions.push(...entering(node, hit, place));
  });
  return { regions, text: withInsertions(source, insertions) };
}

/** A body counts with its function's parameters, since they run with it. */
function regionOf(node: Node, { parents: [parent], field }: Place): Region | undefined {
  if (parent === undefined) return undefined;
  if (field === 'body' && functions.has(parent.type)) return { start: parent.start, end: node.end };
  const isBranch =
    ((field === 'consequent' || field === 'alternate') && /^(If|Conditional)/.test(parent.type)) ||
    (field === 'right' && parent.type === 'LogicalExpression') ||
    (field === 'body' && parent.type === 'CatchClause');
  return isBranch ? { start: node.start, end: node.end } : undefined;
}

function entering(node: Node, hit: string, { parents: { length: depth } }: Place): Insertion[] {
  if (node.type === 'BlockStatement') return [{ at: node.start + 1, text: `${hit};`, order: depth }];
  const [open, close] = node.type.endsWith('Statement') ? [`{${hit};`, '}'] : [`(${hit},(`, '))'];
  return [
    { at: node.start, text: open, order: depth },
    { at: node.end, text: close, order: -depth },
  ];
}

function withInsertions(source: string, insertions: readonly Insertion[]): string {
  const sorted = insertions.toSorted((one, other) => one.at - other.at || one.order - other.order);
  let text = '';
  let done = 0;
  for (const { at, text: inserted } of sorted) {
    text += source.slice(done, at) + inserted;
    done = at;
  }
  return text + source.slice(done);
}
