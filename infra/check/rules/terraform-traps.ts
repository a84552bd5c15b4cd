import type { Finding, Module, Project, Stack } from '../model.ts';
import { at, place } from './walk.ts';

/** Resources that azurerm makes by asking the data service, where deployers have no rights and which they may not reach. */
const onDataPlane = [
  'azurerm_storage_table',
  'azurerm_storage_table_entity',
  'azurerm_storage_blob',
  'azurerm_storage_account_queue_properties',
  'azurerm_storage_account_static_website',
];
/** Resources with data that cannot be recreated: every resource of a type, or one of them. */
const holdData = [
  'azurerm_mssql_database',
  'azurerm_storage_account.data',
  'Microsoft.Storage/storageAccounts/tableServices/tables',
];
/** A resource that joins another one afterwards, and that other one, which does not show whether it is joined already. */
const joins: Readonly<Record<string, string>> = {
  azurerm_subnet_network_security_group_association: 'azurerm_subnet',
  azurerm_private_dns_zone_virtual_network_link: 'azurerm_private_dns_zone',
};

/** Nothing that validates and plans, and then fails against Azure because of how Terraform and azurerm work. */
export function terraformTraps({ terraform }: Project): Finding[] {
  return Object.values(terraform.modules).flatMap((module) => [
    ...dataPlane(module),
    ...hasty(module),
    ...lateData(terraform, module),
    ...fleeting(module),
  ]);
}

function dataPlane({ resources }: Module): Finding[] {
  return resources
    .filter(({ type }) => onDataPlane.includes(type))
    .map((resource) => ({
      file: place(resource),
      message: `${resource.type} asks the data service, where deployers have no rights; use azapi_resource`,
    }));
}

/** Outputs that name a resource before what joins it is there. */
function hasty({ file, text, resources }: Module): Finding[] {
  const outputs = blocksOf(text, 'output');
  return resources.flatMap(({ type, symbol }) => {
    const [joint, joined] = [`${type}.${symbol}`, `${joins[type]}.${symbol}`];
    return outputs
      .filter(({ body }) => joins[type] && contains(body, joined) && !contains(body, joint))
      .map(({ name }) => ({ file, message: `the output ${name} does not wait for ${joint}` }));
  });
}

/** Data sources in a module that is used with depends_on: they are unknown whenever what it depends on changes. */
function lateData({ modules }: Stack, { text }: Module): Finding[] {
  return blocksOf(text, 'module')
    .filter(({ body }) => contains(body, 'depends_on'))
    .flatMap(({ name, body }) => {
      const source = /source\s*=\s*".*\/([\w-]+)"/.exec(body)?.[1] ?? '';
      const called = modules[source];
      const [data] = called?.text.match(/^data "\w+" "\w+"/m) ?? [];
      const finding = `${data} is unknown whenever something changes that the module ${name} depends on`;
      return called && data ? [{ file: called.file, message: finding }] : [];
    });
}

/** What holds data and could be destroyed, by a change that makes it anew: Terraform would remove its lock first. */
function fleeting({ resources }: Module): Finding[] {
  return resources
    .filter(({ type, symbol }) => holdData.includes(type) || holdData.includes(`${type}.${symbol}`))
    .filter((resource) => at(resource.body, 'lifecycle.0.prevent_destroy') !== true)
    .map((resource) => ({
      file: place(resource),
      message: `${resource.type}.${resource.symbol} holds data and lacks prevent_destroy`,
    }));
}

function blocksOf(text: string, kind: string): { name: string; body: string }[] {
  const blocks = text.matchAll(new RegExp(`^${kind} "(\\w+)" \\{\\n([\\s\\S]*?)^\\}`, 'gm'));
  return [...blocks].map(([, name = '', body = '']) => ({ name, body }));
}

const contains = (text: string, word: string) =>
  new RegExp(`(?<![\\w.])${word.replaceAll('.', '\\.')}\\b`).test(text);
