import { describe, expect, test } from 'vitest';
import { jsonElements, jsonMembers } from '../../../../shared/custom-data/members.ts';
import { anyText, fc } from '../../../support/properties.ts';

describe('jsonMembers()', () => {
  test.each([
    ['{}', []],
    [' { } ', []],
    ['{"a":1}', ['a', '1']],
    ['{"a" : 1.10 , "b":12345678901234567890}', ['a', '1.10', 'b', '12345678901234567890']],
    ['{"big":1e400,"minus":-0}', ['big', '1e400', 'minus', '-0']],
    ['{"__proto__":{"a":[1,2]},"":null}', ['__proto__', '{"a":[1,2]}', '', 'null']],
    ['{"a":"}],{[\\"","b":"\\\\"}', ['a', '"}],{[\\""', 'b', '"\\\\"']],
    ['{"\\u0061":"\\ud800"}', ['a', '"\\ud800"']],
    ['{"a":{"b":[{"c":"],"}]},"d":[]}', ['a', '{"b":[{"c":"],"}]}', 'd', '[]']],
    ['{"a":1,"a":2}', ['a', '1', 'a', '2']],
    ['\n{\t"a"\r\n:\n[ 1 , 2 ]\n}\n', ['a', '[ 1 , 2 ]']],
    ['{"a:b":":"}', ['a:b', '":"']],
  ])('splits %j into names and texts', (text, expected) => {
    expect(jsonMembers(text).flatMap(({ name, text: value }) => [name, value])).toEqual(expected);
  });

  test('keeps the source text of whatever JSON there is', () => {
    const spaces = fc.constantFrom('', ' ', '\n\t');
    const member = fc.tuple(anyText(), fc.json(), spaces, spaces);
    fc.assert(
      fc.property(fc.array(member), (members) => {
        const text = `{${members.map(([name, value, before, after]) => `${before}${JSON.stringify(name)}${after}:${before}${value}${after}`).join(',')}}`;
        expect(jsonMembers(text)).toEqual(members.map(([name, value]) => ({ name, text: value })));
      }),
    );
  });
});

describe('jsonElements()', () => {
  test.each([
    ['[]', []],
    ['[ ]', []],
    ['[1, "a,b", [2,3], {"c":[4]}]', ['1', '"a,b"', '[2,3]', '{"c":[4]}']],
  ])('splits %j', (text, expected) => {
    expect(jsonElements(text)).toEqual(expected);
  });
});
