import { type Finding, type Project, templates } from '../model.ts';

/** Types of resources with data that cannot be made anew. A server takes the backups of its databases with it. */
const holdData =
  /^(?:azurerm_mssql_(?:server|database)$|azurerm_storage_(?:account|container|table)$|Microsoft\.Storage\/storageAccounts(?:\/tableServices\/tables|\/blobServices\/containers)?$)/;
/** The accounts of the Functions hosts hold packages and leases, which are made again. */
const holdsNone = 'infra/terraform/modules/host-storage';
/** A resource that joins another one afterwards, and that other one, which does not show whether it is joined already. */
const joins: Readonly<Record<string, string>> = {
  azurerm_subnet_network_security_group_association: 'azurerm_subnet',
  azurerm_private_dns_zone_virtual_network_link: 'azurerm_private_dns_zone',
};

/** Nothing that validates and plans, and then fails against Azure because of how Terraform and azurerm work. */
export function terraformTraps(project: Project): Finding[] {
  const modules = Map.groupBy(
    templates(project).filter(([file]) => file.endsWith('.tf')),
    ([file]) => file.slice(0, file.lastIndexOf('/')),
  );
  const textIn = (folder: string) => (modules.get(folder) ?? []).map(([, text]) => text).join('\n');
  return [...modules.keys()].flatMap((folder) => {
    const text = textIn(folder);
    const resources = blocksOf(text, 'resource');
    return [
      ...hasty(text, resources),
      ...lateData(text, (source) => textIn(`${folder}/${source}`)),
      ...(folder === holdsNone ? [] : fleeting(resources)),
      ...resources.flatMap(blind),
      ...(folder === 'infra/terraform' ? forgotten(text) : []),
      ...(/^provider "azurerm"/m.test(text) && !/^ {2}storage_use_azuread = true$/m.test(text)
        ? ['the provider asks storage with keys, which are off (storage_use_azuread)']
        : []),
      ...blocksOf(text, 'variable').flatMap(({ type: name, body }) => [
        ...(text.includes(`var.${name}`) ? [] : [`the variable ${name} is read by nothing`]),
        ...(/description\s*=/.test(body) ? [] : [`the variable ${name} has no description`]),
      ]),
    ].map((message) => ({ file: folder, message }));
  });
}

/** What an earlier version has made under other addresses: without their new ones Terraform would remove it and make it anew. */
const earlier = [
  'azurerm_resource_group.main',
  'module.database',
  'module.storage.azurerm_storage_account.host',
  'module.storage.azurerm_storage_container.packages',
];

const forgotten = (text: string) =>
  earlier
    .filter(
      (address) => !new RegExp(`^moved \\{\\n {2}from = ${address.replaceAll('.', '\\.')}$`, 'm').test(text),
    )
    .map((address) => `does not know what ${address} of an earlier version is now`);

/** What may be changed outside of Terraform: Azure sets the first, and nobody may change the others. */
const ignored = [
  'express_vulnerability_assessment_enabled',
  'time_period',
  'body.properties.siteScopedCertificatesEnabled',
];

/** Resources of which Terraform passes over what was changed by hand, or in the templates. */
function blind({ type, symbol, body }: Block): string[] {
  const [, list = ''] = /ignore_changes\s*=\s*(\[[^\]]*\]|all)/.exec(body) ?? [];
  const names = [...list.matchAll(/[\w.]+/g)].map(([name]) => name);
  const passedOver = [
    ...names.filter((name) => !ignored.includes(name)),
    ...(/ignore_(?:body_changes|missing_property|other_items_in_list)\s*=/.exec(body) ?? []),
  ];
  return passedOver.map((name) => `${type}.${symbol} passes over changes (${name})`);
}

interface Block {
  readonly type: string;
  readonly symbol: string;
  readonly body: string;
}

function blocksOf(text: string, kind: string): Block[] {
  const blocks = text.matchAll(new RegExp(`^${kind} "(\\w+)"(?: "(\\w+)")? \\{\\n([\\s\\S]*?)^\\}`, 'gm'));
  return [...blocks].map(([, type = '', symbol = '', body = '']) => ({ type, symbol, body }));
}

const contains = (text: string, word: string) =>
  new RegExp(`(?<![\\w.])${word.replaceAll('.', '\\.')}\\b`).test(text);

/** Outputs that name a resource before what joins it is there. */
function hasty(text: string, resources: readonly Block[]): string[] {
  return resources.flatMap(({ type, symbol }) => {
    const joint = `${type}.${symbol}`;
    const joined = `${joins[type]}.${symbol}`;
    return blocksOf(text, 'output')
      .filter(({ body }) => joins[type] && contains(body, joined) && !contains(body, joint))
      .map(({ type: name }) => `the output ${name} does not wait for ${joint}`);
  });
}

/** Data sources in a module that is used with depends_on, also in those that it uses: they are unknown whenever what it depends on changes. */
function lateData(text: string, textOf: (source: string) => string): string[] {
  /** `./modules/app` and `../app` as they are joined to a folder. */
  const sourceOf = (body: string) => /source\s*=\s*"\.?\.?\/([\w/-]+)"/.exec(body)?.[1] ?? '';
  return blocksOf(text, 'module')
    .filter(({ body }) => contains(body, 'depends_on'))
    .flatMap(({ type: name, body }) => {
      const source = sourceOf(body);
      const inner = textOf(source);
      const below = blocksOf(inner, 'module').map((call) => textOf(`${source}/${sourceOf(call.body)}`));
      const found = [inner, ...below].flatMap((item) => /^data "\w+" "\w+"/m.exec(item)?.[0] ?? []);
      return found.map(
        (data) => `${data} is unknown whenever something changes that the module ${name} depends on`,
      );
    });
}

/** The resources that hold data and that a change could destroy by replacing them: Terraform would remove their locks first. */
const fleeting = (resources: readonly Block[]) =>
  resources
    .filter(({ type, body }) => {
      const armType = /^ {2}type\s*= "([\w./]+)@/m.exec(body)?.[1] ?? '';
      return [type, armType].some((name) => holdData.test(name));
    })
    .filter(({ body }) => !/prevent_destroy\s*= true/.test(body))
    .map(({ type, symbol }) => `${type}.${symbol} holds data and lacks prevent_destroy`);
