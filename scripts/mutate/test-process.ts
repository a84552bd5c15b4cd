/** A child process that keeps vitest ready, and runs test files of the folder that it was started in, one when it is told to. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CliOptions, createVitest, type TestSpecification, type Vitest } from 'vitest/node';

/** What the parent says. */
export interface Order {
  /** The test file, from the root. */
  readonly test: string;
  /** Files whose text is another than at the order before. */
  readonly changed: readonly string[];
  /** Whether the app is built again before. */
  readonly build: boolean;
}

/** What it hears. */
export interface Result {
  readonly passed: boolean;
  /** Whether a test failed, or its file; otherwise it could not run. */
  readonly isTest: boolean;
  /** What failed, in words. */
  readonly failure: string;
  readonly milliseconds: number;
}

const root = process.cwd();

async function load(file: string): Promise<Record<string, unknown> | undefined> {
  const path = join(root, file);
  return existsSync(path) ? await import(pathToFileURL(path).href) : undefined;
}

/** Takes the configuration as it is, but nothing is tried twice: that a test fails is what we look for. */
async function start(): Promise<Vitest> {
  const config = ((await load('vitest.config.ts'))?.['default'] ?? {}) as { test?: Record<string, unknown> };
  const projects = ((config.test?.['projects'] ?? []) as { test: object }[]).map((one) => ({
    ...one,
    test: { ...one.test, retry: 0 },
  }));
  const vitest = await createVitest({
    ...config.test,
    ...(projects.length > 0 ? { projects } : {}),
    root,
    config: false,
    watch: false,
    bail: 1,
    maxWorkers: 1,
    reporters: [{}],
  } satisfies CliOptions);
  await vitest.standalone();
  return vitest;
}

async function specificationsOf(vitest: Vitest, test: string): Promise<TestSpecification[]> {
  const path = join(root, test);
  return (await vitest.globTestSpecifications([test])).filter(({ moduleId }) => moduleId === path);
}

async function run(vitest: Vitest, { test, changed, build }: Order): Promise<Result> {
  for (const file of changed) vitest.invalidateFile(join(root, file));
  const builder = build ? await load('scripts/build.ts') : undefined;
  if (builder !== undefined) await (builder['buildApp'] as () => Promise<unknown>)();
  const started = performance.now();
  const specifications = await specificationsOf(vitest, test);
  const result = await vitest.runTestSpecifications(specifications);
  // It also holds what ran at earlier orders.
  const testModules = result.testModules.filter(({ moduleId }) => moduleId === join(root, test));
  const { unhandledErrors } = result;
  const errors = testModules.flatMap((module) => [
    ...module.errors().map(({ message }) => message),
    ...[...module.children.allTests('failed')].map(
      (one) => `${one.fullName}: ${one.result().errors?.[0]?.message ?? ''}`,
    ),
    ...[...module.children.allSuites()].flatMap((suite) => suite.errors().map(({ message }) => message)),
  ]);
  const passed =
    testModules.length > 0 && unhandledErrors.length === 0 && testModules.every((one) => one.ok());
  return {
    passed,
    isTest: errors.length > 0,
    failure: [...errors, ...unhandledErrors.map(String)].join('\n').slice(0, 500),
    milliseconds: performance.now() - started,
  };
}

const ready = start();
process.on('message', async (order: Order) => {
  const result = await ready
    .then((vitest) => run(vitest, order))
    .catch(
      (error: unknown): Result => ({ passed: false, isTest: false, failure: String(error), milliseconds: 0 }),
    );
  process.send?.(result);
});
process.on('disconnect', () => process.exit());
