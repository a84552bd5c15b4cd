/** Every citation of a heading of a docs page leads somewhere: `docs/records-contract.md, "Errors"`, or several headings, `"Errors" and "Limits"`. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

interface Citation {
  readonly page: string;
  readonly headings: readonly string[];
}

/** A page, and the headings behind it, of which there may be none. */
const citation = /\bdocs\/([\w/-]+)\.md`?(?:,? ((?:(?:, and |, | and )?"[^"\n]+")+))?/g;

/** Returns the citations of a text: comments are read as running text, since a citation may go on in the next line. */
function citationsIn(text: string): Citation[] {
  const runningText = text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|#|--)?\s*/g, ' ');
  return [...runningText.matchAll(citation)].map(([, page = '', headings = '']) => ({
    page: `docs/${page}.md`,
    headings: [...headings.matchAll(/"([^"]+)"/g)].map(([, heading = '']) => heading),
  }));
}

/** Returns the headings of a page in Markdown, without the marks of code. */
function headingsOf(page: string): string[] {
  const prose = page.replace(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) => heading.replaceAll('`', ''));
}

/** Returns what of a citation is not there. */
function missingOf({ page, headings }: Citation): string[] {
  const path = join(root, page);
  if (!existsSync(path)) return [page];
  const existingHeadings = headingsOf(readFileSync(path, 'utf8'));
  return headings
    .filter((heading) => !existingHeadings.includes(heading))
    .map((heading) => `${page}, "${heading}"`);
}

const files = globSync(
  [
    '{functions,shared,local,infra,scripts,test,packages}/**/*.{ts,tsx,mjs,css,sql,bicep,tf,xml,md}',
    'docs/**/*.md',
    '*.md',
  ],
  { cwd: root },
).filter((file) => !/(?:^|\/)(?:node_modules|dist)\//.test(file) && file !== 'test/unit/citations.test.ts');

const citations = files.flatMap((file) =>
  citationsIn(readFileSync(join(root, file), 'utf8')).map((found) => ({ file, ...found })),
);

describe('citations', () => {
  test('lead to pages and headings that exist', () => {
    expect(citations.flatMap((found) => missingOf(found).map((what) => `${found.file}: ${what}`))).toEqual(
      [],
    );
  });

  test('are found for both contracts', () => {
    const pages = citations.filter(({ headings }) => headings.length > 0).map(({ page }) => page);
    expect(pages).toEqual(expect.arrayContaining(['docs/calendar-contract.md', 'docs/records-contract.md']));
  });

  test.each<readonly [string, Citation[]]>([
    ['Nothing of docs.', []],
    ['(docs/run.md)', [{ page: 'docs/run.md', headings: [] }]],
    ['(docs/a-b.md, "One").', [{ page: 'docs/a-b.md', headings: ['One'] }]],
    ['`docs/a.md`, "One"', [{ page: 'docs/a.md', headings: ['One'] }]],
    [
      'docs/decisions/a.md, "One", "Two" and "Three"',
      [{ page: 'docs/decisions/a.md', headings: ['One', 'Two', 'Three'] }],
    ],
    [
      'docs/a.md, "One",\n * "Two" and\n   // "Three"',
      [{ page: 'docs/a.md', headings: ['One', 'Two', 'Three'] }],
    ],
    ['/** (docs/a.md,\n * "One two") */', [{ page: 'docs/a.md', headings: ['One two'] }]],
  ])('are read from %j', (text, expected) => {
    expect(citationsIn(text)).toEqual(expected);
  });

  test('that lead nowhere are named', () => {
    expect(missingOf({ page: 'docs/no-such-page.md', headings: ['One'] })).toEqual(['docs/no-such-page.md']);
    expect(missingOf({ page: 'docs/records-contract.md', headings: ['Errors', 'Error'] })).toEqual([
      'docs/records-contract.md, "Error"',
    ]);
  });
});
