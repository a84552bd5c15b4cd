/** A policy as a tree of elements, which the gateway's tiers know. */

import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An element; its text is without blanks around. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
});

/** Parses a policy. Throws a SyntaxError that says what is not well-formed, or what the service would refuse. */
export function parsePolicy(source: string): Element {
  const valid = XMLValidator.validate(source);
  if (valid !== true) throw new SyntaxError(`line ${valid.err.line} is not well-formed: ${valid.err.msg}`);
  const [policy] = elementsOf(parser.parse(source));
  if (!policy) throw new SyntaxError('there is no element');
  const [unknown] = unknownElements(policy);
  if (unknown !== undefined) throw new SyntaxError(unknown);
  return policy;
}

type Node = Readonly<Record<string, unknown>>;

function elementsOf(nodes: readonly Node[]): Element[] {
  return nodes.flatMap(({ ':@': attributes = {}, '#text': text, ...rest }) =>
    text === undefined
      ? Object.entries(rest as Record<string, Node[]>).map(([name, inner]) => ({
          name,
          attributes: attributes as Element['attributes'],
          children: elementsOf(inner),
          text: inner.map((item) => item['#text'] ?? '').join(''),
        }))
      : [],
  );
}

interface ElementRule {
  readonly required?: string;
  readonly optional?: string;
  /** Elements inside, in the order that the service wants. */
  readonly children?: string;
}

const actions =
  'base choose return-response set-variable set-header set-body set-backend-service rate-limit-by-key validate-azure-ad-token cache-lookup cache-store';

/** What the service takes (https://learn.microsoft.com/azure/api-management/api-management-policies). */
const elementRules: Readonly<Record<string, ElementRule>> = {
  policies: { children: 'inbound backend outbound on-error' },
  inbound: { children: actions },
  backend: { children: 'base' },
  outbound: { children: actions },
  'on-error': { children: actions },
  base: {},
  choose: { children: 'when otherwise' },
  when: { required: 'condition', children: actions },
  otherwise: { children: actions },
  'set-variable': { required: 'name value' },
  'return-response': { children: 'set-status set-header set-body' },
  'set-status': { required: 'code reason' },
  'set-header': { required: 'name exists-action', children: 'value' },
  'set-body': {},
  value: {},
  'set-backend-service': { required: 'backend-id' },
  'rate-limit-by-key': { required: 'calls renewal-period counter-key' },
  'validate-azure-ad-token': {
    required: 'tenant-id header-name failed-validation-httpcode',
    optional: 'failed-validation-error-message output-token-variable-name',
    children: 'client-application-ids audiences required-claims',
  },
  audiences: { children: 'audience' },
  audience: {},
  'cache-lookup': {
    required: 'vary-by-developer vary-by-developer-groups',
    optional: 'caching-type downstream-caching-type',
    children: 'vary-by-header vary-by-query-parameter',
  },
  'vary-by-header': {},
  'vary-by-query-parameter': {},
  'cache-store': { required: 'duration' },
};

/** Elements and attributes that the service would refuse. */
function unknownElements({ name, attributes, children }: Element, path = ''): string[] {
  const here = `${path}<${name}>`;
  const rule = elementRules[name];
  if (!rule) return [`${here} is no element that the gateway is known to have`];
  const words = (list = '') => list.split(' ');
  const given = Object.keys(attributes);
  const allowed = [...words(rule.required), ...words(rule.optional)];
  const order = children.map((child) => words(rule.children).indexOf(child.name));
  const isOrdered = rule.children !== actions && order.some((item, at) => item < (order[at - 1] ?? 0));
  return [
    ...given.filter((item) => !allowed.includes(item)).map((item) => `${here} has no attribute ${item}`),
    ...words(rule.required)
      .filter((item) => item !== '' && !given.includes(item))
      .map((item) => `${here} lacks ${item}`),
    ...children.filter((_, at) => order[at] === -1).map((child) => `${here} must not hold <${child.name}>`),
    ...(isOrdered ? [`${here} has its elements in another order`] : []),
    ...children.flatMap((child) => unknownElements(child, here)),
  ];
}
