import { describe, expect, test } from 'vitest';
import { type Mutant, mutantsOf, sample } from '../../../../scripts/mutate/mutants.ts';

/** Returns the mutants of a line as `kind: mutated line`. */
function mutants(source: string): string[] {
  return mutantsOf('a.ts', source).map(({ kind, after }) => `${kind}: ${after.trim()}`);
}

describe('mutantsOf()', () => {
  test.each<[source: string, ...mutants: string[]]>([
    [
      'export const f = (a: number) => { if (a < 3) return 1; return 2; };',
      'condition: export const f = (a: number) => { if (!(a < 3)) return 1; return 2; };',
      'condition: export const f = (a: number) => { if (false) return 1; return 2; };',
      'guard: export const f = (a: number) => { if (true) return 1; return 2; };',
      'boundary: export const f = (a: number) => { if (a <= 3) return 1; return 2; };',
      'number: export const f = (a: number) => { if (a < 4) return 1; return 2; };',
      'number: export const f = (a: number) => { if (a < 3) return 2; return 2; };',
      'number: export const f = (a: number) => { if (a < 3) return 1; return 3; };',
    ],
    ['export const wait = 5_000;', 'number: export const wait = 50000;'],
    ['export const on = true;', 'boolean: export const on = false;'],
    ['f(a === b);', 'dropped-statement: ;', 'equality: f(a !== b);'],
    ['f(a && b && c);', 'dropped-statement: ;', 'logical: f((a && b) || c);', 'logical: f((a || b) && c);'],
    ['export const a = b ?? c;', 'logical: export const a = b || c;'],
    [
      'export const f = (a) => (a.b ||= 1);',
      'assignment: export const f = (a) => (a.b = 1);',
      'number: export const f = (a) => (a.b ||= 2);',
    ],
    ['export const a = b + c;', 'arithmetic: export const a = b - c;'],
    ["export const a = 'not-found';", "code: export const a = 'not-found~';"],
    [
      "export const a = { 'Cache-Control': 'private, no-cache' };",
      "code: export const a = { 'Cache-Control': 'private, no-cache~' };",
    ],
    ["export const a = 'A sentence that people read.';"],
    [
      "export const a = (b) => typeof b === 'string';",
      "equality: export const a = (b) => typeof b !== 'string';",
    ],
    ["import { a } from 'fs'; export { b } from 'os'; export * from 'path'; export const c = a;"],
    ["export type A = 'a' | 1; export interface B { c: true }"],
    ['export const a = b as 1;'],
    ['await f();', 'dropped-statement: ;', 'dropped-await: f();'],
    ['export const a = await f();'],
    ['export const a = b.trim();', 'dropped-call: export const a = b;'],
    [
      'export const a = /^b$/i;',
      'pattern: export const a = /b$/i;',
      'pattern: export const a = /^b/i;',
      'pattern: export const a = /^b$/;',
    ],
    ['export const a = !b;', 'negation: export const a = b;'],
    [
      'export const a = { b, c };',
      'dropped-member: export const a = { c };',
      'dropped-member: export const a = { b };',
    ],
    [
      'export const a = [b, ...c];',
      'dropped-member: export const a = [...c];',
      'dropped-member: export const a = [b];',
    ],
    [
      'export function a() { try { b(); } catch { c(); } }',
      'early-return: export function a() { return; try { b(); } catch { c(); } }',
      'swallowed-error: export function a() { try { b(); } catch {} }',
    ],
    [
      'export const a = (b) => { throw b; };',
      'early-return: export const a = (b) => { return; throw b; };',
      'swallowed-error: export const a = (b) => { ; };',
    ],
    [
      'export class A extends B { constructor() { super(1); } }',
      'early-return: export class A extends B { constructor() { return; super(1); } }',
      'number: export class A extends B { constructor() { super(2); } }',
    ],
  ])('%s', (source, ...expected) => {
    expect(mutants(source)).toEqual(expected);
  });

  test('returns the line number and the changed lines', () => {
    const mutants = mutantsOf('a.ts', "// ø\nexport const a = f(\n  '😀',\n  1,\n);\n", ['number']);
    expect(mutants[0]).toEqual<Mutant>({
      file: 'a.ts',
      line: 4,
      kind: 'number',
      before: '  1,',
      after: '  2,',
      text: "// ø\nexport const a = f(\n  '😀',\n  2,\n);\n",
    });
  });

  test('returns only the given kinds', () => {
    expect(mutantsOf('a.ts', 'f(1, true);', ['boolean']).map(({ after }) => after)).toEqual(['f(1, false);']);
  });

  test('reads JSX in a .tsx file', () => {
    const source = 'export const a = (b: number) => <p title={b}>{b < 1}</p>;';
    expect(mutantsOf('a.tsx', source, ['boundary']).map(({ after }) => after)).toEqual([
      'export const a = (b: number) => <p title={b}>{b <= 1}</p>;',
    ]);
  });

  test('throws for an invalid program', () => {
    expect(() => mutantsOf('a.ts', 'const')).toThrow(SyntaxError);
  });
});

describe('sample()', () => {
  const mutants = mutantsOf('a.ts', 'export const a = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];');

  test('chooses the same mutants for the same seed, in their order', () => {
    const chosen = sample(mutants, 5, 7);
    expect(chosen).toHaveLength(5);
    expect(chosen).toEqual(mutants.filter((mutant) => chosen.includes(mutant)));
    expect(sample(mutants, 5, 7)).toEqual(chosen);
    expect(sample(mutants, 5, 8)).not.toEqual(chosen);
  });

  test('returns all mutants for a larger size', () => {
    expect(sample(mutants, 100, 1)).toEqual(mutants);
  });
});
