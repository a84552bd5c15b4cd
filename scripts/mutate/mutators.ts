/** The table of mutators: each one proposes small faults for nodes of some types. */

import type { Node } from './syntax.ts';

/** A replacement text for a range of characters. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Mutator {
  readonly types: RegExp;
  /** Returns edits of parts of a node, or texts that replace the node. `source` returns the text of a node. */
  edits(node: Node, source: (node: Node) => string, parent: Node, field: string): readonly (Edit | string)[];
}

const replace = ({ start, end }: Node, text: string): Edit => ({ start, end, text });

/** Operands that need parentheses beside another operator, and parents in which its result needs them. */
const operandInParentheses = /^(Binary|Logical|Conditional|Assignment|ArrowFunction)Expression$/;
const parentOfParentheses = /^(Logical|Binary|Unary|Await|Member|TSAs)Expression$/;

function operators(types: RegExp, replacements: Readonly<Record<string, string>>): Mutator {
  return {
    types,
    edits({ left, operator, right }, source, parent) {
      const operand = (node: Node) =>
        operandInParentheses.test(node.type) ? `(${source(node)})` : source(node);
      if (replacements[operator] === undefined) return [];
      const changed = `${operand(left)} ${replacements[operator]} ${operand(right)}`;
      return [parentOfParentheses.test(parent.type) ? `(${changed})` : changed];
    },
  };
}

/** A text for programs (a code, a header, a key): one to three words. */
const shortText = /^\s*\S+( \S+){0,2}\s*$/;
const effects = /^(Call|Assignment|Update|Unary|Yield)Expression$/;
/** Methods whose result has the type of their object. */
const sameType =
  /^(trim|trimEnd|trimStart|toLowerCase|toUpperCase|normalize|slice|filter|sort|toSorted|reverse|toReversed|replace|replaceAll|concat|padStart|padEnd|flat|finally|catch)$/;
const emptyBlock = /^\{\s*\}$/;

/** All mutators by kind. */
export const mutators: Readonly<Record<string, Mutator>> = {
  condition: {
    types: /^((If|While)Statement|ConditionalExpression)$/,
    // A loop with a negated test does not run, or does not end.
    edits: ({ type, test }, source) =>
      [type === 'WhileStatement' ? [] : `!(${source(test)})`, 'false']
        .flat()
        .map((text) => replace(test, text)),
  },
  guard: {
    types: /^IfStatement$/,
    edits: ({ test, consequent }) =>
      /^(Return|Throw)Statement$/.test(consequent.type) ? [replace(test, 'true')] : [],
  },
  negation: {
    types: /^UnaryExpression$/,
    edits: ({ operator, argument }, source) => (operator === '!' ? [source(argument)] : []),
  },
  boundary: operators(/^Binary/, { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }),
  equality: operators(/^Binary/, { '===': '!==', '!==': '===' }),
  arithmetic: operators(/^Binary/, { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }),
  logical: operators(/^Logical/, { '&&': '||', '||': '&&', '??': '||' }),
  assignment: operators(/^AssignmentE/, {
    '||=': '=',
    '&&=': '=',
    '??=': '=',
    '|=': '=',
    '+=': '-=',
    '-=': '+=',
    '*=': '/=',
    '/=': '*=',
  }),
  number: {
    types: /^Literal$/,
    edits: ({ value }) => (typeof value === 'number' ? [`${value < 10 ? value + 1 : value * 10}`] : []),
  },
  boolean: {
    types: /^Literal$/,
    edits: ({ value }) => (typeof value === 'boolean' ? [`${!value}`] : []),
  },
  code: {
    types: /^Literal$/,
    edits({ value, end }, _source, parent, field) {
      if (typeof value !== 'string' || !shortText.test(value) || field === 'key') return [];
      // A directive, and a comparison with a type: `condition` tries the same fault.
      if (parent.type === 'ExpressionStatement' || parent.left?.operator === 'typeof') return [];
      return [{ start: end - 1, end: end - 1, text: '~' }];
    },
  },
  pattern: {
    types: /^Literal$/,
    edits({ regex: { pattern, flags } = { pattern: '', flags: '' } }) {
      const unanchored = [pattern.replace(/^\^(?=.)/, ''), pattern.replace(/(?<!\\)\$$/, '')];
      const variants = unanchored.filter((text) => text !== pattern).map((text) => `/${text}/${flags}`);
      return [...variants, ...(/[gi]/.test(flags) ? [`/${pattern}/${flags.replace(/[gi]/, '')}`] : [])];
    },
  },
  'dropped-statement': {
    types: /^ExpressionStatement$/,
    edits({ expression }) {
      const effect = expression.type === 'AwaitExpression' ? expression.argument : expression;
      return effects.test(effect.type) && effect.callee?.type !== 'Super' ? [';'] : [];
    },
  },
  'dropped-await': {
    types: /^AwaitExpression$/,
    // Where the awaited value is used, the program would crash at once.
    edits: ({ argument }, source, parent) =>
      /^(Expression|Return)Statement$/.test(parent.type) ? [source(argument)] : [],
  },
  'dropped-call': {
    types: /^CallExpression$/,
    edits: ({ callee: { object, property } }, source, parent) =>
      parent.type !== 'ExpressionStatement' && sameType.test(property?.name) ? [source(object)] : [],
  },
  'dropped-member': {
    types: /^(Object|Array)Expression$/,
    edits: ({ properties, elements }) =>
      (properties ?? elements ?? []).flatMap(
        (member, index, { [index - 1]: previous, [index + 1]: next }) => {
          if (member && next) return [{ start: member.start, end: next.start, text: '' }];
          return member && previous ? [{ start: previous.end, end: member.end, text: '' }] : [];
        },
      ),
  },
  'swallowed-error': {
    types: /^(ThrowStatement|CatchClause)$/,
    edits({ type, body }, source) {
      if (type === 'ThrowStatement') return [';'];
      return emptyBlock.test(source(body)) ? [] : [replace(body, '{}')];
    },
  },
  'early-return': {
    types: /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/,
    edits({ body }, source) {
      const returnsValue = /\b(return|yield)\b[^;\n]/.test(source(body));
      if (body.type !== 'BlockStatement' || returnsValue || emptyBlock.test(source(body))) return [];
      return [{ start: body.start, end: body.start + 1, text: '{ return;' }];
    },
  },
};
