/** A resource of Bicep: its id, and what other parts of a template can read of it. */

import type { Data } from './data.ts';
import { Lazy } from './plan.ts';

/** An id: each part of the type after its namespace, followed by a name. */
export function idUnder(base: string, type: string, names: readonly string[]): string {
  const [namespace = '', ...parts] = type.split('/');
  return [base, 'providers', namespace, ...parts.flatMap((part, index) => [part, names[index] ?? ''])].join(
    '/',
  );
}

/** What Azure tells of a resource: the path in Bicep, and the label. */
const runtime: Readonly<Record<string, string>> = {
  'properties.principalId': 'principalId',
  'identity.principalId': 'principalId',
  'properties.clientId': 'clientId',
  'properties.primaryEndpoints.blob': 'blobEndpoint',
  'properties.primaryEndpoints.table': 'tableEndpoint',
  'properties.defaultHostName': 'hostName',
  'properties.fullyQualifiedDomainName': 'hostName',
  'properties.ConnectionString': 'connectionString',
  'properties.gatewayUrl': 'url',
  appId: 'appId',
};

/** What a template can read of a resource. */
export function resourceValue(
  type: string,
  id: string,
  name: string,
  body: Readonly<Record<string, Data>>,
): Data {
  const lastPart = id.split('/').at(-1) ?? '';
  const path = (steps: string): Data =>
    new Lazy(`<${lastPart}:${runtime[steps] ?? steps}>`, (next) => path(`${steps}.${next}`));
  return new Lazy(id, (property) => {
    if (property === 'id') return type.startsWith('Microsoft.Graph/') ? `<${lastPart}:id>` : id;
    if (property === 'name') return name;
    if (property === 'type') return type;
    const given = body[property];
    return property === 'properties' || property === 'identity' || given === undefined
      ? path(property)
      : given;
  });
}
