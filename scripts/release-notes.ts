/** Prints what CHANGELOG.md says of a version: the notes of its release. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explained, readArguments } from './command-line.ts';

const root = join(import.meta.dirname, '..');

/** Returns the section of a version. Throws when it is missing or empty. */
export function releaseNotes(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((section) => /^\[?([^\]\s]+)/.exec(section)?.[1] === version);
  const notes = section?.slice(section.indexOf('\n')).trim() ?? '';
  if (notes === '') throw new Error(`CHANGELOG.md says nothing of version ${version}.`);
  return notes;
}

/** Returns the version of package.json; throws when a tag names another one. */
function versionOf(tag: string | undefined): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  if (tag !== undefined && tag !== `v${version}`)
    throw new Error(`The tag ${tag} does not name the version of package.json, ${version}.`);
  return version;
}

if (import.meta.main) {
  const { positionals } = readArguments({
    command: 'npm run release-notes',
    help: `Prints what CHANGELOG.md says of the version in package.json.

  npm run --silent release-notes [-- <tag>]     refuses a tag that is not v<version>`,
    allowPositionals: true,
  });
  await explained(async () => {
    console.log(releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), versionOf(positionals[0])));
  });
}
