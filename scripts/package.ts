/** Packs app.zip, the package that is deployed: host.json, package.json, the built app and the notices of the packages in it, nothing else. */

import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { buildInto } from './build.ts';
import { explained, readArguments } from './command-line.ts';
import { noticesFile } from './notices.ts';

const root = join(import.meta.dirname, '..');
/** The same time in every package, so that the same source gives the same bytes. */
const mtime = new Date(2000, 0, 1);

/** Builds the app, apart from dist/, and writes the package, telling each step; gives its size in bytes. */
export async function packageApp(
  target = join(root, 'app.zip'),
  onProgress: (step: string) => void = () => {},
): Promise<number> {
  const built = mkdtempSync(join(tmpdir(), 'package-'));
  try {
    onProgress('Building the app');
    await buildInto(built);
    onProgress(`Packing ${filesBelow(built).length} files`);
    return await pack(built, target);
  } finally {
    rmSync(built, { recursive: true });
  }
}

/** Writes the package of an app that is built in a folder; gives its size in bytes. */
export async function pack(built: string, target: string): Promise<number> {
  const zip = new ZipFile();
  zip.addFile(join(root, 'host.json'), 'host.json', { mtime });
  zip.addBuffer(Buffer.from(deployedManifest()), 'package.json', { mtime });
  for (const file of filesBelow(built))
    zip.addFile(join(built, file), file === noticesFile ? file : `dist/${file}`, { mtime });
  zip.end();
  const output = createWriteStream(target);
  await pipeline(zip.outputStream, output);
  return output.bytesWritten;
}

/**
 * Returns the built files in the order of their names, without the source maps, which only help on the machine that has the source, and
 * without the note of the build.
 */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.map$|^build\.json$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/** The deployed package.json names the entry point; the bundle holds all dependencies. */
function deployedManifest(): string {
  const { name, version, type, main, engines } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  return `${JSON.stringify({ name, version, type, main, engines }, null, 2)}\n`;
}

if (import.meta.main) {
  readArguments({
    command: 'npm run package',
    help: `Builds the app and packs it into app.zip, which npm run deploy pushes: host.json, package.json,
the bundle and the licences of the packages in it. The same source gives the same bytes.

  npm run package       takes no options`,
  });
  await explained(async () => {
    const bytes = await packageApp(undefined, (step) => console.log(`${step} ...`));
    console.log(`Packed app.zip: ${(bytes / 1024).toFixed(0)} KiB.`);
  });
}
