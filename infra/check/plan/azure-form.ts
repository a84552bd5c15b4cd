/** Resources of Terraform's providers under the names that they and their properties have in Azure. */

import { camelCase, type Data, textOf } from './data.ts';
import { subscriptionId } from './ids.ts';
import { nameInGraph, type PlannedResource } from './plan.ts';
import { type Arguments, azureTypes, implied, lastOf, list, parts, renamings } from './provider-types.ts';

/** Arguments that say which resource it is, or how azapi writes it. */
const aboutResource = [
  'name',
  'resource_group_name',
  'type',
  'parent_id',
  'identifier',
  'resource_group_id',
  'retry',
  'schema_validation_enabled',
  'ignore_null_property',
  'response_export_values',
];

function typeOf(type: string, args: Arguments): string {
  const [found] = azureTypes[type] ?? [];
  if (found === undefined)
    throw new ReferenceError(`infra/check/plan/provider-types.ts does not have ${type}`);
  return found || (textOf(args['type'] ?? '').split('@')[0] ?? '');
}

/** The id: below the resource above where both are of one service, else a provider of it. */
function idOf(type: string, args: Arguments): string {
  const part = parts[type];
  if (part !== undefined) return textOf(args[part] ?? '');
  const azureType = typeOf(type, args);
  if (type.startsWith('azuread_')) return `${azureType}/${nameInGraph(propertiesOf(type, args))}`;
  const group = `/subscriptions/${subscriptionId}/resourceGroups/`;
  if (type === 'azurerm_resource_group') return `${group}${textOf(args['name'] ?? '')}`;
  const values: Arguments = { ...args, group: `${group}${textOf(args['resource_group_name'] ?? '')}` };
  const [, template = '{group}'] = azureTypes[type] ?? [];
  const above = template.replaceAll(/\{(\w+)\}/g, (_, name) => textOf(values[name] ?? ''));
  const [namespace = '', ...kinds] = azureType.split('/');
  const path = above.includes(`/providers/${namespace}/`) ? kinds.at(-1) : `providers/${azureType}`;
  const name = args['name'] ?? args['identifier'];
  return `${above}/${path}/${name ?? `${lastOf(args['role_definition_id'])} ${args['principal_id']}`}`;
}

/**
 * Names a resource and its properties as Azure does; the nesting of properties stays that of Terraform. Throws a ReferenceError for an
 * unknown type.
 */
export function inAzure(type: string, given: Arguments): PlannedResource {
  const args = { ...implied[type], ...given };
  return {
    type: type in parts ? '' : typeOf(type, args),
    id: idOf(type, args),
    body: propertiesOf(type, args),
  };
}

function propertiesOf(type: string, args: Arguments): PlannedResource['body'] {
  const [, above = ''] = azureTypes[type] ?? [];
  const properties = Object.entries(args).filter(
    ([name]) =>
      renamingOf(type, name) !== undefined ||
      !(aboutResource.includes(name) || above.includes(`{${name}}`) || name === parts[type]),
  );
  return renamed(type, Object.fromEntries(properties), args) as PlannedResource['body'];
}

const renamingOf = (type: string, name: string) => renamings[`${type}.${name}`] ?? renamings[name];

function renamed(type: string, value: Data, whole: Arguments): Data {
  if (Array.isArray(value)) return value.map((item) => renamed(type, item, whole));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const place = renamingOf(type, name) ?? camelCase(name);
    if (typeof place === 'function') return Object.entries(place(inner, whole));
    return place === '' ? [] : [[place, renamed(type, inner, whole)] as const];
  });
  return Object.fromEntries(entries);
}

/** Attributes that only Azure knows, by what they are called in labels. */
const attributes: Readonly<Record<string, string>> = {
  primary_blob_endpoint: 'blobEndpoint',
  primary_table_endpoint: 'tableEndpoint',
  fully_qualified_domain_name: 'hostName',
  'properties.defaultHostName': 'hostName',
  'properties.customDomainVerificationId': 'verificationId',
  'properties.thumbprint': 'thumbprint',
  connection_string: 'connectionString',
  gateway_url: 'url',
  'identity.0.principal_id': 'principalId',
  principal_id: 'principalId',
  client_id: 'clientId',
  'azuread_application.client_id': 'appId',
  'azuread_service_principal.object_id': 'id',
};

/** The label of an attribute that only Azure knows, such as `<id-dev:clientId>`; of `output` an object of labels; undefined: no label. */
export function labelOf(type: string, args: Arguments, name: string): string | object | undefined {
  const id = idOf(type, { ...implied[type], ...args });
  if (name === 'id') return id;
  const last = lastOf(id);
  if (name !== 'output') {
    const label = attributes[`${type}.${name}`] ?? attributes[name];
    return label === undefined ? undefined : `<${last}:${label}>`;
  }
  const paths = list(args['response_export_values']).map(textOf);
  return paths.reduce<Labels>(
    (output, path) => withLabel(output, path.split('.'), `<${last}:${attributes[path] ?? path}>`),
    {},
  );
}

interface Labels {
  readonly [name: string]: string | Labels;
}

/** Labels with one more at a path. */
function withLabel(
  labels: Labels | string | undefined,
  [step = '', ...more]: readonly string[],
  label: string,
): Labels {
  const known = typeof labels === 'object' ? labels : {};
  return { ...known, [step]: more.length === 0 ? label : withLabel(known[step], more, label) };
}
