/** Which tests may notice a fault in a file, the likely ones first. */

import { basename } from 'node:path';
import { type ModuleGraph, reachable } from './module-graph.ts';

/** What loads the built app, and the entry point of its bundle: no imports lead from the one to the other. */
const host = 'local/functions-host/main.ts';
const entry = 'functions/index.ts';

/** The parts of the app, with the words that the files of their code and of their tests have in their paths. A fault in one part is not looked for with the tests of the others. */
const parts: Readonly<Record<string, RegExp>> = {
  calendar: /calendar/,
  records: /records|custom-data|shared\/sql|database/,
  explorer: /explorer|pages/,
};

/** The folders of the tests that drive the built app over HTTP. */
const throughApp = /^test\/(api|contract)\//;

/**
 * Returns the tests of a file in groups, those that cost least first: tests that reach it without the built app, then
 * those that start the app and whose names have a word in common with the file's path, then the others that start it.
 */
export function relatedTests(graph: ModuleGraph, file: string): readonly (readonly string[])[] {
  const tests = [...graph.keys()].filter((name) => name.endsWith('.test.ts'));
  const inApp = reachable(graph, entry).has(file);
  const startsApp = (test: string) => reachable(graph, test).has(host);
  const related = tests.filter((test) => {
    if (reachable(graph, test, new Set([entry])).has(file)) return true;
    return inApp && throughApp.test(test) && partsFit(file, test) && startsApp(test);
  });
  const {
    near = [],
    likely = [],
    rest = [],
  } = Object.groupBy(related, (test) => {
    if (!startsApp(test)) return 'near';
    return shareWord(file, test) ? 'likely' : 'rest';
  });
  return [near, likely, rest].filter((group) => group.length > 0);
}

function partsFit(file: string, test: string): boolean {
  const [ofFile, ofTest] = [partOf(file), partOf(test)];
  return ofFile === undefined || ofTest === undefined || ofFile === ofTest;
}

function partOf(path: string): string | undefined {
  return Object.entries(parts).find(([, words]) => words.test(path))?.[0];
}

/** Words of a path without those of the parts, which say nothing within a part; in the singular. */
function wordsOf(path: string): string[] {
  return path
    .replace(/\.test\.ts$|\.ts$/, '')
    .split(/[/-]/)
    .filter((word) => !(word in parts))
    .map((word) => word.replace(/s$/, ''));
}

function shareWord(file: string, test: string): boolean {
  const words = new Set(wordsOf(file));
  return wordsOf(basename(test)).some((word) => words.has(word));
}
