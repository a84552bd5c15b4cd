/** The small faults that are put into the code, by kind: each mutator looks at one node and proposes other texts for parts of it. */

import type { Node, Place } from './syntax.ts';
import { isNode } from './syntax.ts';

/** Another text for a part of a file. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Proposes edits for a node; `text` returns the source of a node. */
export type Mutator = (node: Node, place: Place, text: (node: Node) => string) => readonly Edit[];

const instead = ({ start, end }: Node, text: string): Edit => ({ start, end, text });

/** Returns the child of a node in a field that always holds one. */
const child = (node: Node, field: string): Node => node[field] as Node;

const logical = 'LogicalExpression';
const binary = 'BinaryExpression';

/** Operands that need parentheses beside another operator, and places in which its result needs them. */
const loose = new Set([logical, 'ConditionalExpression', 'AssignmentExpression', 'ArrowFunctionExpression']);
const tight = new Set([
  logical,
  binary,
  'UnaryExpression',
  'AwaitExpression',
  'MemberExpression',
  'TSAsExpression',
]);

const operators =
  (type: string, others: Readonly<Record<string, string>>): Mutator =>
  (node, { parents: [parent] }, text) => {
    const other = node.type === type ? others[String(node['operator'])] : undefined;
    if (other === undefined) return [];
    const operand = (one: Node) =>
      loose.has(one.type) || (type === binary && one.type === binary) ? `(${text(one)})` : text(one);
    const changed = `${operand(child(node, 'left'))} ${other} ${operand(child(node, 'right'))}`;
    return [instead(node, tight.has(parent?.type ?? '') ? `(${changed})` : changed)];
  };

const assignmentOperators: Readonly<Record<string, string>> = {
  '||=': '=',
  '&&=': '=',
  '??=': '=',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '|=': '=',
};

const assignment: Mutator = (node, _place, text) => {
  const other = assignmentOperators[String(node['operator'])];
  if (node.type !== 'AssignmentExpression' || other === undefined) return [];
  return [instead(node, `${text(child(node, 'left'))} ${other} ${text(child(node, 'right'))}`)];
};

const conditional = new Set(['IfStatement', 'ConditionalExpression', 'WhileStatement', 'DoWhileStatement']);

const condition: Mutator = (node, _place, text) => {
  const test = node['test'];
  if (!conditional.has(node.type) || !isNode(test)) return [];
  const never = node.type === 'DoWhileStatement' ? [] : [instead(test, 'false')];
  const negated = [instead(test, `!(${text(test)})`)];
  // A loop whose test is negated does not run, or never ends.
  return node.type.endsWith('WhileStatement') ? never : [...negated, ...never];
};

/** A guard that leaves the function: what it returns stays, but always. */
const alwaysLeaves: Mutator = (node) => {
  const test = node['test'];
  const leaves = isNode(node['consequent']) && /^(Return|Throw)Statement$/.test(node['consequent'].type);
  return node.type === 'IfStatement' && leaves && isNode(test) ? [instead(test, 'true')] : [];
};

const effects = new Set([
  'CallExpression',
  'AssignmentExpression',
  'UpdateExpression',
  'UnaryExpression',
  'YieldExpression',
]);

const droppedStatement: Mutator = (node) => {
  if (node.type !== 'ExpressionStatement') return [];
  const expression = child(node, 'expression');
  const effect = expression.type === 'AwaitExpression' ? child(expression, 'argument') : expression;
  return effects.has(effect.type) && !isSuper(effect) ? [instead(node, ';')] : [];
};

function isSuper(effect: Node): boolean {
  return isNode(effect['callee']) && effect['callee'].type === 'Super';
}

/** Where a value that is awaited is used, its absence would crash at once; only what is awaited for its effect is worth a try. */
const droppedAwait: Mutator = (node, { parents: [parent] }, text) =>
  node.type === 'AwaitExpression' && /^(Expression|Return)Statement$/.test(parent?.type ?? '')
    ? [instead(node, text(child(node, 'argument')))]
    : [];

/** Methods whose result is of the kind of what they are called on. */
const sameKind =
  /^(trim|trimEnd|trimStart|toLowerCase|toUpperCase|normalize|slice|filter|sort|toSorted|reverse|toReversed|replace|replaceAll|concat|padStart|padEnd|flat|finally|catch)$/;

const droppedCall: Mutator = (node, { parents: [parent] }, text) => {
  const callee = node['callee'];
  if (node.type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return [];
  if (parent?.type === 'ExpressionStatement' || !sameKind.test(String(child(callee, 'property')['name'])))
    return [];
  return [instead(node, text(child(callee, 'object')))];
};

const swallowed: Mutator = (node) => {
  if (node.type === 'ThrowStatement') return [instead(node, ';')];
  if (node.type !== 'CatchClause') return [];
  const body = child(node, 'body');
  return (body['body'] as Node[]).length > 0 ? [instead(body, '{}')] : [];
};

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** A function that returns no value does nothing. */
const earlyReturn: Mutator = (node, _place, text) => {
  const body = node['body'];
  if (!functions.has(node.type) || !isNode(body) || body.type !== 'BlockStatement') return [];
  const statements = body['body'] as Node[];
  if (statements.length === 0 || /\b(return|yield)\b[^;\n]/.test(text(body))) return [];
  return [{ start: body.start, end: body.start + 1, text: '{ return;' }];
};

const number: Mutator = (node) => {
  const value = node['value'];
  if (node.type !== 'Literal' || typeof value !== 'number') return [];
  return [instead(node, String(value < 10 ? value + 1 : value * 10))];
};

const boolean: Mutator = (node) =>
  node.type === 'Literal' && typeof node['value'] === 'boolean'
    ? [instead(node, String(!node['value']))]
    : [];

/** Texts that programs read, codes and headers and keys, are short; what people read is long. */
const longestCode = 3;

const code: Mutator = (node, { parents: [parent], field }, text) => {
  const value = node['value'];
  if (node.type !== 'Literal' || typeof value !== 'string' || value.trim() === '') return [];
  if (value.split(' ').length > longestCode || parent?.type === 'ExpressionStatement') return [];
  if (field === 'key' || isTypeof(parent)) return [];
  const quote = text(node)[0] ?? "'";
  return [{ start: node.end - 1, end: node.end, text: `~${quote}` }];
};

/** Whether a node compares what `typeof` gives: with another word the condition never holds, which is tried anyway. */
function isTypeof(node: Node | undefined): boolean {
  const operand = node?.['left'];
  return isNode(operand) && operand.type === 'UnaryExpression' && operand['operator'] === 'typeof';
}

const pattern: Mutator = (node) => {
  const regex = node['regex'] as { pattern: string; flags: string } | undefined;
  if (node.type !== 'Literal' || regex === undefined) return [];
  const { pattern: source, flags } = regex;
  const others: [string, string][] = [];
  if (source.startsWith('^') && source.length > 1) others.push([source.slice(1), flags]);
  if (/[^\\]\$$/.test(source)) others.push([source.slice(0, -1), flags]);
  if (/[gi]/.test(flags)) others.push([source, flags.replace(/[gi]/, '')]);
  return others.map(([other, otherFlags]) => instead(node, `/${other}/${otherFlags}`));
};

/** A member that is not there: of an object, or of a list of constants. */
const droppedMember: Mutator = (node) => {
  const members = (node['properties'] ?? node['elements']) as (Node | null)[] | undefined;
  if (!/^(Object|Array)Expression$/.test(node.type) || members === undefined || members.length < 2) return [];
  return members.flatMap((member, index) => {
    if (member === null) return [];
    const next = members[index + 1];
    const previous = members[index - 1];
    if (next) return [{ start: member.start, end: next.start, text: '' }];
    return previous ? [{ start: previous.end, end: member.end, text: '' }] : [];
  });
};

const negation: Mutator = (node, _place, text) =>
  node.type === 'UnaryExpression' && node['operator'] === '!'
    ? [instead(node, text(child(node, 'argument')))]
    : [];

/** All mutators by name. */
export const mutators: Readonly<Record<string, Mutator>> = {
  condition,
  'always-leaves': alwaysLeaves,
  negation,
  boundary: operators(binary, { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }),
  equality: operators(binary, { '===': '!==', '!==': '===' }),
  arithmetic: operators(binary, { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }),
  logical: operators(logical, { '&&': '||', '||': '&&', '??': '||' }),
  assignment,
  number,
  boolean,
  code,
  pattern,
  'dropped-statement': droppedStatement,
  'dropped-await': droppedAwait,
  'dropped-call': droppedCall,
  'dropped-member': droppedMember,
  'swallowed-error': swallowed,
  'early-return': earlyReturn,
};
