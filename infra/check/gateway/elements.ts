/** The elements of a policy that the gateway's tiers know and that ours uses: their attributes, and what may stand inside. */

import type { Element } from './xml.ts';

interface ElementRule {
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
  /** Elements inside, in the order that the service wants. */
  readonly children?: readonly string[];
}

const actions = [
  ...['base', 'choose', 'return-response', 'set-variable', 'set-header', 'set-body', 'set-backend-service'],
  ...['rate-limit-by-key', 'validate-azure-ad-token', 'cache-lookup', 'cache-store'],
];

const elementRules: Readonly<Record<string, ElementRule>> = {
  policies: { children: ['inbound', 'backend', 'outbound', 'on-error'] },
  inbound: { children: actions },
  backend: { children: ['base'] },
  outbound: { children: actions },
  'on-error': { children: actions },
  base: {},
  choose: { children: ['when', 'otherwise'] },
  when: { required: ['condition'], children: actions },
  otherwise: { children: actions },
  'set-variable': { required: ['name', 'value'] },
  'return-response': { children: ['set-status', 'set-header', 'set-body'] },
  'set-status': { required: ['code', 'reason'] },
  'set-header': { required: ['name', 'exists-action'], children: ['value'] },
  'set-body': {},
  value: {},
  'set-backend-service': { required: ['backend-id'] },
  'rate-limit-by-key': { required: ['calls', 'renewal-period', 'counter-key'] },
  'validate-azure-ad-token': {
    required: ['tenant-id', 'header-name', 'failed-validation-httpcode'],
    optional: ['failed-validation-error-message', 'output-token-variable-name'],
    children: ['client-application-ids', 'audiences', 'required-claims'],
  },
  audiences: { children: ['audience'] },
  audience: {},
  'cache-lookup': {
    required: ['vary-by-developer', 'vary-by-developer-groups'],
    optional: ['caching-type', 'downstream-caching-type'],
    children: ['vary-by-header', 'vary-by-query-parameter'],
  },
  'vary-by-header': {},
  'vary-by-query-parameter': {},
  'cache-store': { required: ['duration'] },
};

/** Elements and attributes that the service would refuse. */
export function unknownElements(element: Element, path = ''): string[] {
  const here = `${path}<${element.name}>`;
  const shape = elementRules[element.name];
  if (!shape) return [`${here} is no element that the gateway is known to have`];
  const attributes = Object.keys(element.attributes);
  const allowed = [...(shape.required ?? []), ...(shape.optional ?? [])];
  const order = element.children.map(({ name }) => shape.children?.indexOf(name) ?? -1);
  const ordered = shape.children !== actions && element.name !== 'choose';
  return [
    ...attributes.filter((name) => !allowed.includes(name)).map((name) => `${here} has no attribute ${name}`),
    ...(shape.required ?? [])
      .filter((name) => !attributes.includes(name))
      .map((name) => `${here} lacks ${name}`),
    ...element.children
      .filter((_, index) => order[index] === -1)
      .map(({ name }) => `${here} must not hold <${name}>`),
    ...(ordered && order.some((item, index) => item < (order[index - 1] ?? 0))
      ? [`${here} has its elements in another order`]
      : []),
    ...element.children.flatMap((child) => unknownElements(child, here)),
  ];
}
