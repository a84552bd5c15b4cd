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

const actions =
  'base choose return-response set-variable set-header set-body set-backend-service rate-limit-by-key validate-azure-ad-token cache-lookup cache-store';

/**
 * Attributes of each element, optional ones with a question mark. Then the elements inside, in the order of the service.
 * Source: https://learn.microsoft.com/azure/api-management/api-management-policies.
 */
const schema: Readonly<Record<string, readonly [attributes: string, children?: string]>> = {
  policies: ['', 'inbound backend outbound on-error'],
  inbound: ['', actions],
  backend: ['', 'base'],
  outbound: ['', actions],
  'on-error': ['', actions],
  base: [''],
  choose: ['', 'when otherwise'],
  when: ['condition', actions],
  otherwise: ['', actions],
  'set-variable': ['name value'],
  'return-response': ['', 'set-status set-header set-body'],
  'set-status': ['code reason'],
  'set-header': ['name exists-action', 'value'],
  'set-body': [''],
  value: [''],
  'set-backend-service': ['backend-id'],
  'rate-limit-by-key': ['calls renewal-period counter-key'],
  'validate-azure-ad-token': [
    'tenant-id header-name failed-validation-httpcode failed-validation-error-message? output-token-variable-name?',
    'client-application-ids audiences required-claims',
  ],
  audiences: ['', 'audience'],
  audience: [''],
  'cache-lookup': [
    'vary-by-developer vary-by-developer-groups caching-type? downstream-caching-type?',
    'vary-by-header vary-by-query-parameter',
  ],
  'vary-by-header': [''],
  'vary-by-query-parameter': [''],
  'cache-store': ['duration'],
};

/** Elements and attributes that the service would refuse. */
function unknownElements({ name, attributes, children }: Element, path = ''): string[] {
  const here = `${path}<${name}>`;
  const [takes = '', holds = ''] = schema[name] ?? [];
  const given = Object.keys(attributes);
  const allowed = takes.split(' ').map((item) => item.replace('?', ''));
  const missing = takes.split(' ').filter((item) => /\w$/.test(item) && !given.includes(item));
  const order = children.map((child) => holds.split(' ').indexOf(child.name));
  const isOrdered = holds === actions || order.every((item, at) => item >= (order[at - 1] ?? 0));
  return [
    ...given.filter((item) => !allowed.includes(item)).map((item) => `${here} has no attribute ${item}`),
    ...missing.map((item) => `${here} lacks ${item}`),
    ...children.filter((_, at) => order[at] === -1).map((child) => `${here} must not hold <${child.name}>`),
    ...(isOrdered ? [] : [`${here} has its elements in another order`]),
    ...children.flatMap((child) => unknownElements(child, here)),
  ];
}
