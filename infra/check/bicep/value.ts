/** Bicep syntax to values. */

import type { Node } from 'web-tree-sitter';
import { Expression, type Value } from '../model.ts';
import { children } from './syntax.ts';

/** The value that a node stands for. A loop becomes a list with one item, its body. */
export function toValue(node: Node): Value {
  switch (node.type) {
    case 'string':
      return isPlainText(node) ? plainText(node) : new Expression(node.text);
    case 'number':
      return Number(node.text);
    case 'boolean':
      return node.text === 'true';
    case 'null':
      return null;
    case 'object':
      return Object.fromEntries(properties(node).map(([name, value]) => [name, toValue(value)]));
    case 'array':
      return children(node).map(toValue);
    case 'for_statement':
      return [toValue(last(node))];
    case 'if_statement':
      return toValue(last(node));
    default:
      return node.text === 'null' ? null : new Expression(node.text);
  }
}

/** Name and value of each property of an object. */
export function properties(object: Node): [string, Node][] {
  return children(object).flatMap((property) => {
    const [name, value] = children(property);
    if (property.type !== 'object_property' || !name || !value) return [];
    return [[name.type === 'string' ? plainText(name) : name.text, value]];
  });
}

/** The last meaningful part of a node: the body of a loop or a condition, the value of a declaration. */
export function last(node: Node): Node {
  const found = children(node).at(-1);
  if (!found) throw new SyntaxError(`nothing inside ${node.text}`);
  return found;
}

const isPlainText = (node: Node) => !children(node).some((child) => child.type === 'interpolation');

/** The text of a string without interpolation. */
export function plainText(node: Node): string {
  return node.text.replace(/^'|'$/g, '').replace(/\\(.)/g, '$1');
}
