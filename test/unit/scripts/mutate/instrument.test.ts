import { transformSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { instrument } from '../../../../scripts/mutate/instrument.ts';

/** Runs a program that is instrumented; returns what it gives, and the parts of the source that it has entered. */
function run(source: string): { value: unknown; entered: string[] } {
  const instrumented = instrument('a.ts', source, 10);
  if (instrumented === undefined) throw new Error('It does not parse.');
  const entered: string[] = [];
  const hit = (number: number) => {
    const { start, end } = instrumented.regions[number - 10] ?? { start: 0, end: 0 };
    entered.push(source.slice(start, end));
  };
  const { code } = transformSync(instrumented.text, { loader: 'ts', format: 'cjs' });
  const module = { exports: {} as Record<string, unknown> };
  new Function('module', 'globalThis', code)(module, { __hit: hit });
  return { value: module.exports['value'], entered };
}

describe('instrument()', () => {
  test.each<[source: string, value: unknown, ...entered: string[]]>([
    ['const f = (a: number) => a + 1; export const value = f(1);', 2, '(a: number) => a + 1'],
    ['const f = () => ({ a: 1 }); export const value = f();', { a: 1 }, '() => ({ a: 1 })'],
    ['const f = (a = 3) => { return a; }; export const value = f();', 3, '(a = 3) => { return a; }'],
    ['export const value = 1 > 2 ? 3 as number : [4];', [4], '[4]'],
    ['export const value = 0 || (1 && 2);', 2, '(1 && 2)', '2'],
    [
      'export let value = 1; if (value > 1) value = 2; else if (value > 0) value = 3;',
      3,
      'if (value > 0) value = 3;',
      'value = 3;',
    ],
    ['export let value = 1; try { null.a; } catch { value = 2; }', 2, '{ value = 2; }'],
    [
      'class A { b() { return 1; } c() { return 2; } } export const value = new A().b();',
      1,
      '() { return 1; }',
    ],
    [
      'export const value = [1, 2].map((a) => (b) => a + b).length;',
      2,
      '(a) => (b) => a + b',
      '(a) => (b) => a + b',
    ],
  ])('%s', (source, value, ...entered) => {
    expect(run(source)).toEqual({ value, entered });
  });
});
