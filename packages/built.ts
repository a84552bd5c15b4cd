/**
 * Builds the emulators on their first start, each of their scripts as one file in `dist/` of the package: a start reads one file in place
 * of a hundred and fifty, and nobody has to know of a build.
 */

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isUpToDate, noteBuild } from './up-to-date.ts';

/** What has been built or looked at in this process, by package. */
const folders = new Map<string, Promise<string>>();

/**
 * Resolves with the folder that holds the scripts of a package, `<name>.js` of each source. Builds them where that is missing, or where
 * a source has changed since.
 */
export function built(packageFolder: string, sources: Readonly<Record<string, string>>): Promise<string> {
  const known = folders.get(packageFolder);
  if (known !== undefined) return known;
  const folder = buildUnlessUpToDate(packageFolder, sources);
  folders.set(packageFolder, folder);
  // A source that is mended meanwhile gets another attempt.
  folder.catch(() => folders.delete(packageFolder));
  return folder;
}

async function buildUnlessUpToDate(
  packageFolder: string,
  sources: Readonly<Record<string, string>>,
): Promise<string> {
  const dist = join(packageFolder, 'dist');
  const note = join(dist, 'build.json');
  if (isUpToDate(note)) return dist;
  const began = Date.now();
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: packageFolder,
    entryPoints: Object.entries(sources).map(([out, source]) => ({ in: join('src', source), out })),
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    sourcemap: 'linked',
    sourcesContent: false,
    external: ['@azure/functions-core'],
    // Packages that are CommonJS ask for Node's own modules through `require`.
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
    },
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  await mkdir(dist, { recursive: true });
  for (const { path, contents } of outputFiles) await replace(path, contents);
  const inputs = Object.keys(metafile.inputs).map((path) => join(packageFolder, path));
  noteBuild(
    note,
    [join(import.meta.dirname, 'built.ts'), ...inputs],
    outputFiles.map(({ path }) => path),
    began,
  );
  return dist;
}

/** Writes a file whole: another process may be building as well, or starting from it. */
async function replace(path: string, contents: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, contents);
  await rename(temporary, path);
}
