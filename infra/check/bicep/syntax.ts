/** Bicep text to a syntax tree, through tree-sitter's grammar compiled to WebAssembly. */

import { createRequire } from 'node:module';
import { Language, type Node, Parser } from 'web-tree-sitter';
import { keyOfTexts } from '../text-key.ts';

const require = createRequire(import.meta.url);
let parser: Promise<Parser> | undefined;

async function createParser(): Promise<Parser> {
  await Parser.init();
  const created = new Parser();
  created.setLanguage(await Language.load(require.resolve('tree-sitter-bicep/tree-sitter-bicep.wasm')));
  return created;
}

/**
 * Parses a .bicep or .bicepparam file. Lines that the grammar does not know (`extension`, `using`) are blanked, and the
 * assignments of a parameter file are read as variables. Throws a SyntaxError that names the line of the first fault.
 */
export async function parseBicep(file: string, text: string): Promise<Node> {
  const key = keyOfTexts([[file, text]]);
  const cached = parsed.get(key) ?? parseNew(file, text);
  parsed.set(key, cached);
  return cached;
}

/** What was parsed before, by file and text. */
const parsed = new Map<string, Promise<Node>>();

async function parseNew(file: string, text: string): Promise<Node> {
  parser ??= createParser();
  const blanked = text.replace(/^(extension|using) .*$/gm, '');
  const source = file.endsWith('.bicepparam') ? blanked.replace(/^param /gm, 'var ') : blanked;
  const tree = (await parser).parse(source);
  if (!tree) throw new SyntaxError(`Cannot parse ${file}`);
  const error = firstFault(tree.rootNode);
  if (error) throw new SyntaxError(`line ${error.startPosition.row + 1} is not Bicep: ${excerpt(error)}`);
  return tree.rootNode;
}

function firstFault(node: Node): Node | undefined {
  if (!node.hasError) return undefined;
  if (node.isError || node.isMissing) return node;
  return children(node, true).map(firstFault).find(Boolean) ?? node;
}

const excerpt = (node: Node) => JSON.stringify(node.text.slice(0, 60));

/** The parts of a node that have a meaning; with `all`, punctuation too. */
export function children(node: Node, all = false): Node[] {
  return (all ? node.children : node.namedChildren).filter(
    (child): child is Node => child !== null && child.type !== 'comment',
  );
}
