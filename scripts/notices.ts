/** The notices of the packages in a bundle: their licences ask to be handed on with it. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

export const noticesFile = 'THIRD-PARTY-NOTICES.txt';

/** What a manifest may say of its licence and its source; older ones have a list of licences. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly licenses?: readonly { readonly type: string }[];
  readonly author?: string | { readonly name: string };
  readonly repository?: string | { readonly url: string };
}

/** Returns the folders of the packages of which a bundle has something, as paths from where esbuild has worked. */
export function bundledPackages({ outputs }: Metafile): string[] {
  const used = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => path),
  );
  // A colon is in the names of modules that a plugin makes, and in no path from the root.
  return [
    ...new Set(used.flatMap((path) => /^[^:]*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? [])),
  ];
}

/** Returns the notices of packages in folders below a root: names, versions, licences, sources, and each text once. Throws an Error for a package without a licence. */
export function noticesOf(root: string, folders: readonly string[]): string {
  const notices = folders.map((folder) => noticeOf(join(root, folder)));
  const byText = Map.groupBy(notices, ({ text }) => text);
  const sections = [...byText].map(([text, having]) => {
    const titles = [...new Set(having.map(({ title }) => title))].sort();
    return `${titles.join('\n')}\n\n${text}`;
  });
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  return `${['The app contains the packages below, under the licences that follow their names.', ...sections.sort()].join(line)}\n`;
}

function noticeOf(folder: string): { readonly title: string; readonly text: string } {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license = manifest.licenses?.map(({ type }) => type).join(' OR ') } = manifest;
  const text = textsIn(folder) || standardText(manifest);
  if (!license || !text)
    throw new Error(
      `Cannot name the licence of ${name} ${version}: its package has ${license ? 'no text of it' : 'none'}.`,
    );
  return { title: `${name} ${version}, ${license}${sourceOf(manifest)}`, text };
}

/** The texts of a package: of its licence, and the notice that the Apache License wants to be kept. */
function textsIn(folder: string): string {
  return readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');
}

function sourceOf({ repository }: Manifest): string {
  const address = typeof repository === 'string' ? repository : repository?.url;
  if (address === undefined) return '';
  // Short forms mean GitHub.
  return `, ${/^[\w.-]+\/[\w.-]+$/.test(address) ? `https://github.com/${address}` : address.replace(/^git\+/, '')}`;
}

/** The text of the MIT License, which some packages only name. */
function standardText({ license, author }: Manifest): string | undefined {
  const holder = typeof author === 'string' ? author : author?.name;
  if (license !== 'MIT' || holder === undefined) return undefined;
  return `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}
