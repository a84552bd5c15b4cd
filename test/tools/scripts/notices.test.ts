import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledPackages, noticesOf } from '../../../scripts/notices.ts';
import { newFolder } from '../../support/temporary-folder.ts';

/** Makes packages by their folders, each of a manifest and texts by file. */
function packages(
  made: Readonly<Record<string, { manifest: object; texts?: Readonly<Record<string, string>> }>>,
) {
  const root = newFolder();
  for (const [folder, { manifest, texts = {} }] of Object.entries(made)) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'package.json'), JSON.stringify(manifest));
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(root, folder, name), text);
  }
  return noticesOf(root, Object.keys(made));
}

const line = '-'.repeat(80);

test('packages of one text share it, and a notice stands beside its licence', () => {
  const notices = packages({
    a: {
      manifest: { name: 'a', version: '1.0.0', license: 'ISC', repository: 'o/a' },
      texts: { LICENSE: 'Same.\r\n' },
    },
    b: {
      manifest: {
        name: 'b',
        version: '2.0.0',
        licenses: [{ type: 'ISC' }],
        repository: { url: 'git+https://x.example/b.git' },
      },
      texts: { 'license.md': 'Same.' },
    },
    c: {
      manifest: { name: 'c', version: '3.0.0', license: 'Apache-2.0' },
      texts: { 'LICENSE.txt': 'Terms.', NOTICE: 'Of C.' },
    },
  });
  expect(notices.split(`\n\n${line}\n\n`).slice(1)).toEqual([
    'a 1.0.0, ISC, https://github.com/o/a\nb 2.0.0, ISC, https://x.example/b.git\n\nSame.',
    'c 3.0.0, Apache-2.0\n\nTerms.\n\nOf C.\n',
  ]);
});

test('a package that only names the MIT License gets its text with its author', () => {
  const notices = packages({
    a: { manifest: { name: 'a', version: '1.0.0', license: 'MIT', author: { name: 'Ada' } } },
  });
  expect(notices).toContain(
    'a 1.0.0, MIT\n\nMIT License\n\nCopyright (c) Ada\n\nPermission is hereby granted',
  );
});

test.each([
  [{ name: 'a', version: '1.0.0' }, { LICENSE: 'Terms.' }, 'none'],
  [{ name: 'a', version: '1.0.0', license: 'ISC' }, {}, 'no text of it'],
  [{ name: 'a', version: '1.0.0', license: 'MIT' }, {}, 'no text of it'],
])('of %j no notice can be made', (manifest, texts, reason) => {
  expect(() => packages({ a: { manifest, texts } })).toThrow(
    `Cannot name the licence of a 1.0.0: its package has ${reason}.`,
  );
});

test('packages of which nothing is left in a bundle are not in it, nor what plugins make', () => {
  const inputs = {
    'functions/index.ts': { bytesInOutput: 5 },
    'node_modules/a/index.js': { bytesInOutput: 1 },
    'node_modules/a/more.js': { bytesInOutput: 1 },
    'node_modules/@s/b/node_modules/c/index.js': { bytesInOutput: 1 },
    'node_modules/unused/index.js': { bytesInOutput: 0 },
    'node-builtin:http for node_modules/d/index.js': { bytesInOutput: 1 },
  };
  const output = { bytes: 9, inputs, imports: [], exports: [] };
  expect(bundledPackages({ inputs: {}, outputs: { 'index.js': output } })).toEqual([
    'node_modules/a',
    'node_modules/@s/b/node_modules/c',
  ]);
});
