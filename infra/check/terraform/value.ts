/** HCL, as hcl2json writes it, to values. */

import { Expression, type Value } from '../model.ts';

/** The value of parsed HCL: `${...}` becomes an expression, everything else what it is. */
export function toValue(parsed: unknown): Value {
  if (typeof parsed === 'string') return toTextOrExpression(parsed);
  if (typeof parsed === 'number' || typeof parsed === 'boolean' || parsed === null) return parsed;
  if (Array.isArray(parsed)) return parsed.map(toValue);
  return Object.fromEntries(Object.entries(parsed ?? {}).map(([name, inner]) => [name, toValue(inner)]));
}

function toTextOrExpression(text: string): Value {
  const whole = /^\$\{([\s\S]*)\}$/.exec(text);
  if (whole?.[1] !== undefined && !whole[1].includes('${')) return new Expression(whole[1]);
  return text.includes('${') ? new Expression(`"${text}"`) : text;
}

/** The text of an expression or literal; empty for lists and objects. */
export function textOf(value: Value | undefined): string {
  if (value instanceof Expression) return value.text;
  return typeof value === 'object' || value === undefined ? '' : String(value);
}
