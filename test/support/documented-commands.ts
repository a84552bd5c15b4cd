/** The commands that pages tell their readers to type, and that workflows run, as a real shell takes them apart. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { writeTools } from './fake-tools.ts';
import { knownTools } from './known-commands.ts';
import { newFolder } from './temporary-folder.ts';

const root = join(import.meta.dirname, '../..');

export interface DocumentedCommand {
  /** Where it stands: the page and its line, or the workflow and the first line of its step. */
  readonly place: string;
  readonly tool: string;
  readonly words: readonly string[];
  /** Whether it stands in a sentence, which may leave out what a reader knows. */
  readonly isMention: boolean;
}

interface Snippet {
  readonly place: string;
  readonly text: string;
  readonly isMention: boolean;
}

/** What stands in a word that a reader replaces, such as `<group>`; its digit tells it from words of ours. */
export const placeholder = 'example1';

const examples: Readonly<Record<string, string>> = {
  '<object id of the group>': '00000000-0000-0000-0000-000000000001',
  '<your e-mail address>': 'me@example.org',
  '<owner>/<name>': 'owner/name',
  '--environment <name>': '--environment prod',
};

const tools = [...knownTools, 'npm'];
const callsTool = new RegExp(String.raw`(?:^|[\s;(])(?:${tools.join('|')}) `, 'm');
const beginsWithTool = new RegExp(String.raw`^(?:\w+=\S* )*(?:${tools.join('|')}) `);

/** Code in a fence, with its language, and code in a sentence. */
const code = /^( *)```(\w*)\n([\s\S]*?)\n *```$|(?<!`)`([^`\n]+)`(?!`)/gm;

/** Lists what a shell can take of a page, in its order. */
function snippetsOf(page: string): Snippet[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(code)].flatMap(({ index, 2: language = '', 3: fenced, 4: inline }): Snippet[] => {
    const place = `${page}:${text.slice(0, index).split('\n').length}`;
    if (fenced !== undefined)
      return ['', 'sh', 'bash'].includes(language) && callsTool.test(fenced)
        ? [{ place, text: filled(fenced), isMention: false }]
        : [];
    // Brackets in a sentence say what may be left out.
    const plain = (inline ?? '').replaceAll(/(?<=\s)\[(-[^\]]*|\w+)\](?=\s|$)/g, '$1');
    return beginsWithTool.test(plain) ? [{ place, text: filled(plain), isMention: true }] : [];
  });
}

function filled(text: string): string {
  return Object.entries(examples)
    .reduce((all, [from, to]) => all.replaceAll(from, to), text)
    .replaceAll(/<[A-Za-z][^<>\n]*>/g, placeholder);
}

/** Runs each snippet in bash, where nothing but tools that record their calls can be called. */
const script = `number=0
for snippet in "$@"; do
  export SNIPPET=$number
  number=$((number + 1))
  if "$BASH" -n -c "$snippet"; then "$BASH" -c "$snippet" < /dev/null > /dev/null 2>&1 || true; else printf '%s\\0' "$SNIPPET" syntax 0 >> "$RECORD"; fi
done`;
const recorder = `#!/bin/sh
printf '%s\\0' "$SNIPPET" "\${0##*/}" "$#" "$@" >> "$RECORD"
echo ${placeholder}
`;

/** Reads the commands of a page in their order. Throws an error for a snippet that is no shell. */
export const commandsOf = (page: string): DocumentedCommand[] => commandsIn(snippetsOf(page));

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps?: readonly { readonly run?: string }[] }>>;
}

/** What variables of a workflow hold that choose something; all others hold a placeholder. */
const chosen: Readonly<Record<string, string>> = { ENVIRONMENT: 'prod', COLOR: 'blue' };

/** Reads the commands of a workflow in their order; what they leave out comes from the variables of its environment. */
export function commandsOfWorkflow(file: string): DocumentedCommand[] {
  const text = readFileSync(join(root, file), 'utf8');
  const { jobs } = parse(text) as Workflow;
  const runs = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []));
  const names = [...text.matchAll(/\$\{?([A-Z][A-Z_]+)/g)].map(([, name = '']) => name);
  return commandsIn(
    runs.map((run) => ({ place: `${file}: ${run.split('\n')[0]}`, text: run, isMention: true })),
    Object.fromEntries(names.map((name) => [name, chosen[name] ?? placeholder])),
  );
}

function commandsIn(
  snippets: readonly Snippet[],
  variables: Readonly<Record<string, string>> = {},
): DocumentedCommand[] {
  const folder = newFolder();
  const record = join(folder, 'calls');
  const PATH = writeTools({
    ...Object.fromEntries(tools.map((tool) => [tool, recorder])),
    mkdir: `#!/bin/sh\nexec /bin/mkdir "$@"\n`,
  });
  execFileSync('/bin/bash', ['-c', script, 'bash', ...snippets.map(({ text }) => text)], {
    cwd: folder,
    env: { ...variables, PATH, RECORD: record },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const parts = existsSync(record) ? readFileSync(record, 'utf8').split('\0') : [];
  const commands: DocumentedCommand[] = [];
  for (let at = 0; at + 2 < parts.length; ) {
    const [number, tool = '', count] = parts.slice(at, at + 3);
    const words = parts.slice(at + 3, at + 3 + Number(count));
    at += 3 + Number(count);
    const snippet = snippets[Number(number)];
    if (snippet === undefined) throw new Error(`There is no snippet ${number}.`);
    const { place, text, isMention } = snippet;
    if (tool === 'syntax') throw new Error(`${place} is no shell:\n${text}`);
    commands.push({ place, tool, words, isMention });
  }
  return commands;
}
