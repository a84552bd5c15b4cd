import { describe, expect, test } from 'vitest';
import { type Mutant, mutantsOf } from '../../../../scripts/mutate/mutants.ts';

/** What the mutators make of a line, without what stays: `kind: line`. */
function mutants(source: string): string[] {
  return mutantsOf('a.ts', source).map(({ mutator, after }) => `${mutator}: ${after.trim()}`);
}

describe('mutantsOf()', () => {
  test.each<[source: string, ...mutants: string[]]>([
    [
      'export const f = (a: number) => { if (a < 3) return 1; return 2; };',
      'condition: export const f = (a: number) => { if (!(a < 3)) return 1; return 2; };',
      'condition: export const f = (a: number) => { if (false) return 1; return 2; };',
      'always-leaves: export const f = (a: number) => { if (true) return 1; return 2; };',
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

  test('tells the place and the lines that change', () => {
    const [one] = mutantsOf('a.ts', "// ø\nexport const a = f(\n  '😀',\n  1,\n);\n").filter(
      ({ mutator }) => mutator === 'number',
    );
    expect(one).toEqual<Mutant>({
      file: 'a.ts',
      line: 4,
      mutator: 'number',
      before: '  1,',
      after: '  2,',
      start: 35,
      end: 36,
      text: "// ø\nexport const a = f(\n  '😀',\n  2,\n);\n",
    });
  });

  test('refuses what does not parse', () => {
    expect(() => mutantsOf('a.ts', 'const')).toThrow('Cannot mutate a.ts: it does not parse.');
  });
});
