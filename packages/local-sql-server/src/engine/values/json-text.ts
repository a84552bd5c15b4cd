/** JSON that keeps its own text. */
import { sqlError } from '../../tsql/sql-error.ts';

/** A value in JSON text. It keeps its own text, so that no digit is lost. */
export interface JsonNode {
  readonly kind: 'null' | 'string' | 'number' | 'boolean' | 'array' | 'object';
  readonly text: string;
  readonly members: readonly { readonly name: string; readonly value: JsonNode }[];
}

const maxDepth = 128;
const space = ' '.charCodeAt(0);
const whitespace = /[ \t\r\n]*/y;
const string = /"[^"\\]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\]*)*"/y;
const scalars: readonly (readonly [JsonNode['kind'], RegExp])[] = [
  ['string', string],
  ['number', /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
  ['boolean', /true|false/y],
  ['null', /null/y],
];

/** Parses JSON (RFC 8259). Throws 13609 with the character that does not fit and its position, from 0. */
export function parseJson(text: string): JsonNode {
  const reader = new JsonReader(text);
  return reader.document();
}

class JsonReader {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode {
    const value = this.#value(0);
    this.#skipWhitespace();
    if (this.#offset < this.#text.length) throw this.#unexpected();
    return value;
  }

  /** value = object | array | string | number | true | false | null */
  #value(depth: number): JsonNode {
    this.#skipWhitespace();
    const start = this.#offset;
    const character = this.#text[start];
    if (depth > maxDepth) throw this.#unexpected();
    if (character === '{') return this.#container('object', '}', start, depth);
    if (character === '[') return this.#container('array', ']', start, depth);
    for (const [kind, pattern] of scalars)
      if (this.#skip(pattern)) return { kind, text: this.#text.slice(start, this.#offset), members: [] };
    throw this.#unexpected();
  }

  /** object = '{' [string ':' value {',' string ':' value}] '}', array = '[' [value {',' value}] ']' */
  #container(kind: 'object' | 'array', closing: string, start: number, depth: number): JsonNode {
    const members: { name: string; value: JsonNode }[] = [];
    this.#offset++;
    if (!this.#accept(closing)) {
      do {
        const name = kind === 'object' ? this.#name() : String(members.length);
        members.push({ name, value: this.#value(depth + 1) });
      } while (this.#accept(','));
      if (!this.#accept(closing)) throw this.#unexpected();
    }
    return { kind, text: this.#text.slice(start, this.#offset), members };
  }

  #name(): string {
    this.#skipWhitespace();
    const start = this.#offset;
    if (!this.#skip(string)) throw this.#unexpected();
    const name = String(JSON.parse(this.#text.slice(start, this.#offset)));
    if (!this.#accept(':')) throw this.#unexpected();
    return name;
  }

  #accept(character: string): boolean {
    this.#skipWhitespace();
    if (this.#text[this.#offset] !== character) return false;
    this.#offset++;
    return true;
  }

  #skipWhitespace(): void {
    // Mostly the text has none, and a search is quicker than a pattern.
    if (this.#text.charCodeAt(this.#offset) <= space) this.#skip(whitespace);
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#offset;
    const isFound = pattern.test(this.#text);
    if (isFound) this.#offset = pattern.lastIndex;
    return isFound;
  }

  #unexpected() {
    return sqlError(13609, this.#text.charAt(this.#offset), this.#offset);
  }
}

/** The text that a scalar stands for; NULL for null. Objects and arrays are their own text. */
export function scalarText({ kind, text }: JsonNode): string | null {
  if (kind === 'null') return null;
  return kind === 'string' ? String(JSON.parse(text)) : text;
}

export interface JsonPath {
  readonly isStrict: boolean;
  readonly steps: readonly (string | number)[];
}

/** Reads a path: `[lax | strict] $ {.name | ."name" | [index]}`. Throws 13607. */
export function parsePath(text: string): JsonPath {
  const mode = /^\s*(?:(lax|strict)\s+)?\$/.exec(text);
  if (!mode) throw sqlError(13607, text.trim().charAt(0), text.length - text.trimStart().length);
  const steps: (string | number)[] = [];
  const step = /\.([\p{L}_][\p{L}\p{N}_$]*)|\.("(?:[^"\\]|\\.)*")|\[\s*(\d+)\s*\]/uy;
  let offset = mode[0].length;
  while (offset < text.trimEnd().length) {
    step.lastIndex = offset;
    const found = step.exec(text);
    if (!found) throw sqlError(13607, text.charAt(offset), offset);
    const [, name, quoted, index] = found;
    steps.push(index === undefined ? (name ?? String(JSON.parse(quoted ?? '""'))) : Number(index));
    offset = step.lastIndex;
  }
  return { isStrict: mode[1] === 'strict', steps };
}

/** What a path leads to. A missing part is undefined in lax mode, 13608 in strict mode. */
export function followPath(root: JsonNode, { isStrict, steps }: JsonPath): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const step of steps) {
    const kind = typeof step === 'number' ? 'array' : 'object';
    node = node?.kind === kind ? node.members.find(({ name }) => name === String(step))?.value : undefined;
    if (!node && isStrict) throw sqlError(13608);
    if (!node) return undefined;
  }
  return node;
}

export function isContainer({ kind }: JsonNode): boolean {
  return kind === 'object' || kind === 'array';
}
