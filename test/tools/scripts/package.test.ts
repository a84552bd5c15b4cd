import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import yauzl from 'yauzl';
import { pack, packageApp } from '../../../scripts/package.ts';
import { newFolder } from '../../support/temporary-folder.ts';

const folder = newFolder();
const files = new Map<string, Buffer>();

beforeAll(async () => {
  await packageApp(join(folder, 'one.zip'));
  const zip = await yauzl.openPromise(join(folder, 'one.zip'), { autoClose: false });
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  zip.close();
});

describe('app.zip', () => {
  test('contains only the host settings, the bundle and the pages', () => {
    const names = [...files.keys()].filter(
      (name) => !/^dist\/functions\/later\/[A-Za-z0-9_.-]+\.js$/.test(name),
    );
    const pages = names.filter((name) => /^dist\/functions\/pages\/[a-z-]+\.(?:css|js|svg)$/.test(name));
    expect(pages).toEqual(
      expect.arrayContaining(['dist/functions/pages/page.css', 'dist/functions/pages/start.js']),
    );
    expect(names.filter((name) => !pages.includes(name)).toSorted()).toEqual([
      'dist/functions/index.js',
      'host.json',
      'package.json',
    ]);
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
