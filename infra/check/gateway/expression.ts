/** Expressions of a policy: the C# that ours use is computed as JavaScript, with the methods of .NET's texts. */

import { compileFunction, createContext, runInContext } from 'node:vm';

const dotNet = createContext({});
runInContext(
  `Object.assign(String.prototype, {
    ToLowerInvariant() { return this.toLowerCase(); },
    StartsWith(start) { return this.startsWith(start); },
    EndsWith(end) { return this.endsWith(end); },
    Contains(part) { return this.includes(part); },
    ToString() { return String(this); },
  });
  const long = { Parse: Number };
  const int = { Parse: Number };
  class Random { constructor(seed) { this.seed = seed; } Next(limit) { return (this.seed * 7919) % limit; } }
  class JProperty { constructor(name, value) { this.pair = [name, value]; } }
  class JObject {
    constructor(...properties) { this.all = Object.fromEntries(properties.map(({ pair }) => pair)); }
    ToString() { return JSON.stringify(this.all); }
  }`,
  dotNet,
);

type Compiled = (context: object) => unknown;
const compiled = new Map<string, Compiled>();

/** Computes a value of a policy: `@(...)` is an expression over `context`, all else is text. Throws a SyntaxError for an expression that cannot be read or computed. */
export function compute(text: string, context: object): unknown {
  if (!text.startsWith('@')) return text;
  const run = compiled.get(text) ?? compile(text);
  compiled.set(text, run);
  try {
    return run(context);
  } catch (error) {
    throw new SyntaxError(`${text}: ${(error as Error).message}`);
  }
}

const types = '(?:bool|string|int|long|Jwt)';
/** What differs from JavaScript: casts, type parameters, names of arguments, and `==`. */
const translations: readonly [RegExp, string][] = [
  [new RegExp(`\\(${types}\\)`, 'g'), ''],
  [new RegExp(`<${types}>(?=\\()`, 'g'), ''],
  [/([(,]\s*)[a-z]\w*\s*:/g, '$1'],
  [/[!=]=/g, '$&='],
];

/** Translates an expression once, since it is computed for many requests. */
function compile(text: string): Compiled {
  const literals: string[] = [];
  const code = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (literal) => `_${literals.push(literal) - 1}_`);
  const untyped = new RegExp(`(?<!\\(${types}\\))context\\.Variables\\[`).exec(code);
  const stray = /^@(?!\(.*\)$)|(?<![!=<>])=(?!=)|[^\w\s@.,()[\]?:!=<>+\-*/&|]/.exec(code);
  if (untyped || stray)
    throw new SyntaxError(
      `${text}: ${untyped ? 'a variable is not cast' : `"${stray?.[0]}" cannot be read`}`,
    );
  const translated = translations.reduce((rest, [from, to]) => rest.replaceAll(from, to), code.slice(1));
  const source = translated.replaceAll(/_(\d+)_/g, (_, at) => literals[Number(at)] ?? '');
  try {
    return compileFunction(`return ${source}`, ['context'], { parsingContext: dotNet }) as Compiled;
  } catch (error) {
    throw new SyntaxError(`${text}: ${(error as Error).message}`);
  }
}
