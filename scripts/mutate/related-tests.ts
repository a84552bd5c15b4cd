/** Which tests may notice a fault in a file, as far as imports tell. */

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

/** Runs in browsers: the app serves it, and nothing imports it. */
const inBrowser = /\/browser\//;
/** What every test imports that drives a browser. */
const browser = 'test/support/chromium.ts';

/** The folders of the tests that drive the built app over HTTP. */
const throughApp = /^test\/(api|contract)\//;

/** Returns the tests that reach a file: by what they import or start, or, where it is part of the app, through the functions host. */
export function relatedTests(graph: ModuleGraph, file: string): readonly string[] {
  const inApp = reachable(graph, entry).has(file);
  return [...graph.keys()].filter((test) => {
    if (!test.endsWith('.test.ts')) return false;
    if (inBrowser.test(file)) return reachable(graph, test).has(browser);
    if (reachable(graph, test, new Set([entry])).has(file)) return true;
    return inApp && throughApp.test(test) && partsFit(file, test) && startsApp(graph, test);
  });
}

/** Checks whether a test drives the built app. */
export function startsApp(graph: ModuleGraph, test: string): boolean {
  return reachable(graph, test).has(host);
}

function partsFit(file: string, test: string): boolean {
  const [ofFile, ofTest] = [partOf(file), partOf(test)];
  return ofFile === undefined || ofTest === undefined || ofFile === ofTest;
}

function partOf(path: string): string | undefined {
  return Object.entries(parts).find(([, words]) => words.test(path))?.[0];
}
