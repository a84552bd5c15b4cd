import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import yauzl from 'yauzl';
import { pack, packageApp } from '../../../scripts/package.ts';
import { newFolder } from '../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');
const folder = newFolder();
const files = new Map<string, Buffer>();

beforeAll(async () => {
  await packageApp(join(folder, 'one.zip'));
  const zip = await yauzl.openPromise(join(folder, 'one.zip'), { autoClose: false });
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  zip.close();
});

/** The folders of packages that the source maps of the build name; those of the pages have none. */
function packagesOfBundle(): Set<string> {
  const build = join(root, 'dist', 'functions');
  const maps = readdirSync(build, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.map'),
  );
  const sources = maps.flatMap((name) => {
    const map = JSON.parse(readFileSync(join(build, name), 'utf8')) as {
      readonly sources: readonly string[];
    };
    return map.sources.map((source) => relative(root, join(build, dirname(name), source)));
  });
  const folders = sources.flatMap((path) => /^[^:]*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []);
  // The map of a package that is itself a bundle has paths of its own.
  return new Set(folders.filter((folder) => existsSync(join(root, folder, 'package.json'))));
}

describe('app.zip', () => {
  test('contains only the host settings, the bundle and the pages, with the licences that their files name', () => {
    const names = [...files.keys()].filter(
      (name) => !/^dist\/functions\/later\/[A-Za-z0-9_.-]+\.js$/.test(name),
    );
    const pages = names.filter((name) =>
      /^dist\/functions\/pages\/(?:[a-z-]+\.(?:css|js|js\.LICENSE\.txt|svg)|source-sans-3-[\w-]+\.woff2)$/.test(
        name,
      ),
    );
    expect(pages).toEqual(
      expect.arrayContaining(['dist/functions/pages/page.css', 'dist/functions/pages/start.js']),
    );
    expect(names.filter((name) => !pages.includes(name)).toSorted()).toEqual([
      'THIRD-PARTY-NOTICES.txt',
      'dist/functions/index.js',
      'host.json',
      'package.json',
    ]);
  });

  test('has the name, version and text of the licence of each package in it', () => {
    const notices = files.get('THIRD-PARTY-NOTICES.txt')?.toString() ?? '';
    const [, ...sections] = notices.split(/\n\n-{80}\n\n/);
    const titles = sections.flatMap((section) => (section.split('\n\n')[0] ?? '').split('\n'));
    const texts = sections.map((section) => section.slice(section.indexOf('\n\n')));
    expect(texts.filter((text) => !/permi|licen[cs]e/i.test(text) || text.length < 400)).toEqual([]);
    for (const folder of packagesOfBundle()) {
      const { name, version } = JSON.parse(
        readFileSync(join(root, folder, 'package.json'), 'utf8'),
      ) as Readonly<Record<string, string>>;
      expect(titles.filter((title) => title.startsWith(`${name} ${version}, `))).toHaveLength(1);
    }
    expect(titles.join('\n')).toMatch(
      /^ical\.js [\d.]+, MPL-2\.0, https:\/\/github\.com\/kewisch\/ical\.js/m,
    );
    for (const ofPages of [
      '@fontsource/source-sans-3',
      '@picocss/pico',
      'fullcalendar',
      'leaflet',
      'oidc-client-ts',
    ])
      expect(titles.join('\n')).toMatch(new RegExp(`^${ofPages} \\d`, 'm'));
  });

  test('names the entry point for the Functions worker', () => {
    const manifest = JSON.parse(files.get('package.json')?.toString() ?? '') as { main: string };
    expect(files.has(manifest.main)).toBe(true);
  });

  // The tests begin with a separate build.
  test('has the same bytes for the same source', async () => {
    await pack(join(import.meta.dirname, '../../../dist'), join(folder, 'two.zip'));
    expect(readFileSync(join(folder, 'two.zip')).equals(readFileSync(join(folder, 'one.zip')))).toBe(true);
  });
});
