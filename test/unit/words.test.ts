/** Holds the rule of words in CONTRIBUTING.md: names say what a value measures, and sentences have a noun as their subject. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
/** Returns the paths that fit a pattern, without what is installed or built. */
const find = (...patterns: string[]) =>
  globSync(patterns, { cwd: root }).filter((file) => !/\b(?:node_modules|dist)\b/.test(file));
const files = find('{functions,shared,local,packages/*,infra,scripts,test}/**/*.{ts,tsx}').filter(
  (file) => file !== 'test/unit/words.test.ts',
);
const pages = find('*.md', '{docs,infra,local,packages/*,shared}/**/*.md');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Adjectives and pronouns that name nothing when they are a whole identifier. */
const adjectives =
  /^\s*(?:export\s+)?(?:async\s+)?(?:const|let|function|class)\s+(?:few|many|enough|heavy|light|free|known|kept|held|others|one|own|left|soon)\b/gm;

/** The same in the app: participles, adjectives and question words there say nothing of what they name. */
const adjectivesOfApp =
  /^\s*(?:export\s+)?(?:async\s+)?(?:const|let|function|class)\s+(?:found|given|wanted|asked|taken|whole|rest|seen|twice|twin|written|named|shown|described|chosen|picked|before|after|above|ahead|what|why|where|together|busy|fits|goes|late|short|used|everything|nothing|none)\b/gm;

/** Stems of sentences without a noun as their subject, and coined words. */
const stems =
  /\bwho(?:ever)? (?:waits|asks|comes|sends|wants|calls)\b|(?:^|\. )Who\b|such a one|what there is|\b(?:so many|so much|those who|at hand|lately|in vain|goes on|for good|whoever|there is none)\b|of (?:its|their|our) own|(?:is|are) told\b|stays? as (?:it is|they are)/gi;

/** Returns the comments of a source, each in one line. */
function commentsOf(source: string): string[] {
  const comments = source.matchAll(/^\s*\/\*\*([\s\S]*?)\*\/|((?:^\s*\/\/.*\n)+)/gm);
  return [...comments].map(([, block, lines]) =>
    (block ?? lines ?? '')
      .replace(/^\s*(?:\*|\/\/) ?/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

const sentencesOf = (text: string) => text.split(/(?<=[.!?])\s+(?=[A-Z`*])|(?<=:)\s|(?<=;)\s/);

/** Returns the sentences of a page, without code, tables' rules and addresses of links. */
function sentencesOfPage(page: string): string[] {
  const text = page
    .replace(/```[\s\S]*?```/g, '')
    .replace(/`[^`\n]*`/g, 'Code')
    .replace(/\]\([^)]*\)/g, ']');
  const parts = text.split(/\n\s*\n|\n(?=[-|#*>]|\d+\.)|(?<=[^|]) \| /);
  return parts.flatMap((part) => sentencesOf(part.replace(/\s+/g, ' ')));
}

/** In a file about both sides of an operator, `left` is a side. */
const isSide = (name: string, source: string) => name.endsWith('left') && /\bright\b/.test(source);

test('no adjective or pronoun is a name', () => {
  const found = files.flatMap((file) => {
    const source = read(file);
    const isOfApp = /^(?:functions|shared)\//.test(file);
    const names = [adjectives, ...(isOfApp ? [adjectivesOfApp] : [])].flatMap((pattern) =>
      [...source.matchAll(pattern)].map(([name]) => name),
    );
    return names.filter((name) => !isSide(name, source)).map((name) => `${file}: ${name}`);
  });
  expect(found).toEqual([]);
});

const stemsIn = (file: string, texts: readonly string[]) =>
  texts.flatMap((text) =>
    [...text.matchAll(stems)].map(([stem]) => `${file}: ${stem} (${text.slice(0, 90)})`),
  );

test('sentences of comments and docs have a noun as their subject, and no coined words', () => {
  const inComments = files.flatMap((file) => stemsIn(file, commentsOf(read(file))));
  const inPages = pages.flatMap((file) => stemsIn(file, sentencesOfPage(read(file))));
  expect([...inComments, ...inPages]).toEqual([]);
});

test('sentences have at most 160 characters in comments, and 200 in docs', () => {
  const long = files.flatMap((file) =>
    commentsOf(read(file))
      .filter((text) => !/\|---|^\*/.test(text))
      .flatMap(sentencesOf)
      .filter((sentence) => sentence.length > 160)
      .map((sentence) => `${file}: ${sentence.length} ${sentence.slice(0, 80)}`),
  );
  const longInPages = pages.flatMap((file) =>
    sentencesOfPage(read(file))
      .filter((sentence) => sentence.length > 200)
      .map((sentence) => `${file}: ${sentence.length} ${sentence.slice(0, 80)}`),
  );
  expect([...long, ...longInPages]).toEqual([]);
});
