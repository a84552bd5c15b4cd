import { difference, type Finding, type Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import {
  bodyAt,
  hasCalendarApp,
  hasExistingServer,
  hasRunner,
  mustBe,
  nameOf,
  ofType,
  overPlans,
  role,
  type View,
} from './views.ts';

const zones: Readonly<Record<string, string>> = {
  blob: 'privatelink.blob.core.windows.net',
  table: 'privatelink.table.core.windows.net',
  sqlServer: 'privatelink.database.windows.net',
  sites: 'privatelink.azurewebsites.net',
};
/** The name by which parameters call a zone. */
const zoneKeys: Readonly<Record<string, string>> = { sqlServer: 'sql' };

/** A private deployment is private: no public access, each endpoint with its zone, subnets with their delegations and guards. */
export function networking(project: Project): Finding[] {
  return overPlans(project, (view) => [
    ...access(view),
    ...endpoints(view),
    ...subnets(view),
    ...gateway(view),
    ...runner(view),
    ...firewall(view),
  ]);
}

const isPrivate = ({ value }: View) => value('private_networking') === true;
const isClosed = (view: View) => isPrivate(view) && view.value('app_public_access') === false;

function access(view: View): string[] {
  const open = isPrivate(view) ? 'Disabled' : 'Enabled';
  const wanted: Readonly<Record<string, string>> = {
    'Microsoft.Storage/storageAccounts': open,
    'Microsoft.Sql/servers': open,
    'Microsoft.Web/sites': isClosed(view) ? 'Disabled' : 'Enabled',
  };
  // The calendar is public wherever it has a separate app.
  const accessTo = (id: string, value: string) => (role(nameOf(id)) === 'func-c' ? 'Enabled' : value);
  return Object.entries(wanted).flatMap(([type, value]) =>
    ofType(view, type).flatMap((item) =>
      mustBe(
        `public access to ${role(nameOf(item.id))}`,
        bodyAt(item, 'properties.publicNetworkAccess'),
        accessTo(item.id, value),
      ),
    ),
  );
}

/** Endpoints as `resource / sub-resource / zone`. */
function endpoints(view: View): string[] {
  const green = view.value('green_app') === true;
  const apps = isClosed(view) ? ['sites/func / sites', ...(green ? ['sites/func-g / sites'] : [])] : [];
  const data = [
    ...['storageAccounts/sthost / blob', 'storageAccounts/stdata / table', 'storageAccounts/stdata / blob'],
    'servers/sql / sqlServer',
    ...(hasCalendarApp(view) ? ['storageAccounts/stcal / blob'] : []),
    ...(view.value('calendar_backup') === true
      ? ['storageAccounts/stbackup / table', 'storageAccounts/stbackup / blob']
      : []),
  ];
  const wanted = isPrivate(view)
    ? [...data, ...apps].map((item) => `${item} / ${zoneFor(view, item.split(' / ')[1] ?? '')}`)
    : [];
  const zoneGroups = ofType(view, 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups');
  const all = ofType(view, 'Microsoft.Network/privateEndpoints');
  const found = all.map((item) => {
    const connection = 'properties.privateLinkServiceConnections.0.properties';
    const group = zoneGroups.find(({ id }) => id.startsWith(`${item.id}/`));
    const resource = role(bodyAt(item, `${connection}.privateLinkServiceId`))
      .split('/')
      .slice(-2)
      .join('/');
    const zone = bodyAt(group, 'properties.privateDnsZoneConfigs.0.properties.privateDnsZoneId');
    return `${resource} / ${(bodyAt(item, `${connection}.groupIds`) as Data[] | null)?.map(textOf).join()} / ${nameOf(zone)}`;
  });
  const [missing, surplus] = difference(wanted, found);
  return [
    ...missing.map((item) => `there is no private endpoint ${item}`),
    ...surplus.map((surplu) => `there is a private endpoint that leads wrong: ${surplu}`),
    ...all.flatMap((item) =>
      mustBe(
        `the subnet of ${role(nameOf(item.id))}`,
        nameOf(bodyAt(item, 'properties.subnet.id')),
        'snet-endpoints',
      ),
    ),
  ];
}

function zoneFor({ value }: View, subResource: string): string {
  const given = (value('existing_private_dns_zone_ids') ?? {}) as Record<string, Data>;
  const zone = given[zoneKeys[subResource] ?? subResource];
  return zone === undefined ? (zones[subResource] ?? '') : nameOf(zone);
}

function subnets(view: View): string[] {
  if (!isPrivate(view))
    return mustBe('networks', ofType(view, 'Microsoft.Network/virtualNetworks').length, 0);
  const withGateway = view.value('gateway_sku') === 'StandardV2';
  const delegations: Readonly<Record<string, string | null>> = {
    'snet-app': 'Microsoft.App/environments',
    'snet-endpoints': null,
    ...(hasRunner(view) ? { 'snet-runner': 'Microsoft.App/environments' } : {}),
    ...(withGateway ? { 'snet-gateway': 'Microsoft.Web/serverFarms' } : {}),
  };
  const found = ofType(view, 'Microsoft.Network/virtualNetworks/subnets');
  const network = ofType(view, 'Microsoft.Network/virtualNetworks')[0];
  const groupZones = Object.values(zones).filter((zone) =>
    ofType(view, 'Microsoft.Network/privateDnsZones').some(({ id }) => nameOf(id) === zone),
  );
  const links = ofType(view, 'Microsoft.Network/privateDnsZones/virtualNetworkLinks');
  return [
    ...Object.entries(delegations).flatMap(([name, delegation]) => {
      const subnet = found.find(({ id }) => nameOf(id) === name);
      return [
        ...mustBe(
          `the delegation of ${name}`,
          bodyAt(subnet, 'properties.delegations.0.properties.serviceName'),
          delegation,
        ),
        ...mustBe(
          `a security group at ${name}`,
          bodyAt(subnet, 'properties.networkSecurityGroup.id') !== null,
          true,
        ),
      ];
    }),
    ...ofType(view, 'Microsoft.Web/sites').flatMap((site) =>
      mustBe(
        `the subnet of ${role(nameOf(site.id))}`,
        nameOf(bodyAt(site, 'properties.virtualNetworkSubnetId')),
        'snet-app',
      ),
    ),
    ...groupZones.flatMap((zone) => {
      const link = links.find(({ id }) => id.includes(`/${zone}/`));
      return [
        ...mustBe(
          `the network that ${zone} is linked to`,
          bodyAt(link, 'properties.virtualNetwork.id'),
          network?.id ?? null,
        ),
        ...mustBe(`registration in ${zone}`, bodyAt(link, 'properties.registrationEnabled'), false),
      ];
    }),
  ];
}

function gateway(view: View): string[] {
  const [service] = ofType(view, 'Microsoft.ApiManagement/service');
  if (view.value('gateway_sku') === 'None') return mustBe('a gateway', service !== undefined, false);
  const inside = view.value('gateway_sku') === 'StandardV2' && isPrivate(view);
  const backends = ofType(view, 'Microsoft.ApiManagement/service/backends');
  const api = ofType(view, 'Microsoft.ApiManagement/service/apis')[0];
  const hosts: Readonly<Record<string, string>> = {
    blue: 'func',
    ...(view.value('green_app') === true ? { green: 'func-g' } : {}),
    ...(hasCalendarApp(view) ? { calendar: 'func-c' } : {}),
  };
  return [
    ...mustBe(
      'the network of the gateway',
      bodyAt(service, 'properties.virtualNetworkType'),
      inside ? 'External' : 'None',
    ),
    ...(inside
      ? mustBe(
          'the subnet of the gateway',
          nameOf(bodyAt(service, 'properties.virtualNetworkConfiguration.subnetResourceId')),
          'snet-gateway',
        )
      : []),
    ...mustBe('protocols of the gateway', bodyAt(api, 'properties.protocols'), ['https']),
    ...mustBe('the backends of the gateway', backends.length, Object.keys(hosts).length),
    ...mustBe('the path of the gateway', bodyAt(api, 'properties.path') ?? '', ''),
    ...Object.entries(hosts).flatMap(([color, app]) => {
      const backend = backends.find(({ id }) => nameOf(id) === color);
      const url = `https://<${app}:hostName>`;
      return [
        ...mustBe(`the address behind ${color}`, role(bodyAt(backend, 'properties.url')), url),
        ...['validateCertificateChain', 'validateCertificateName'].flatMap((check) =>
          mustBe(`${check} of the backend ${color}`, bodyAt(backend, `properties.tls.${check}`), true),
        ),
      ];
    }),
  ];
}

/** A runner is inside the network, in a separate subnet; its jobs get a credential, and no identity of ours. */
function runner(view: View): string[] {
  const environments = ofType(view, 'Microsoft.App/managedEnvironments');
  const jobs = ofType(view, 'Microsoft.App/jobs');
  const count = hasRunner(view) ? 1 : 0;
  const rule = 'properties.configuration.eventTriggerConfig.scale.rules.0';
  const { repository = '', applicationId = '' } = (view.value('runner') ?? {}) as Record<string, Data>;
  const [owner = '', name = ''] = textOf(repository).split('/');
  return [
    ...mustBe('runners', [environments.length, jobs.length], [count, count]),
    ...environments.flatMap((environment) => [
      ...mustBe(
        'the subnet of the runner',
        nameOf(bodyAt(environment, 'properties.vnetConfiguration.infrastructureSubnetId')),
        'snet-runner',
      ),
      ...mustBe('the runner is inside', bodyAt(environment, 'properties.vnetConfiguration.internal'), true),
      ...mustBe(
        'where the runner logs to',
        bodyAt(environment, 'properties.appLogsConfiguration.destination'),
        'azure-monitor',
      ),
    ]),
    ...jobs.flatMap((job) => [
      ...mustBe('what starts a runner', bodyAt(job, `${rule}.type`), 'github-runner'),
      ...mustBe(
        'whose jobs the runner does',
        ['owner', 'repos', 'runnerScope', 'noDefaultLabels', 'labels'].map((key) =>
          bodyAt(job, `${rule}.metadata.${key}`),
        ),
        [owner, name, 'repo', 'true', view.plan.outputs['RUNNER_LABEL'] ?? null],
      ),
      ...mustBe(
        'the credential of the runner',
        ['auth.0.triggerParameter', 'auth.0.secretRef'].map((key) => bodyAt(job, `${rule}.${key}`)),
        [applicationId === '' ? 'personalAccessToken' : 'appKey', 'github'],
      ),
      ...mustBe(
        'the secret of the runner',
        [
          role(nameOf(bodyAt(job, 'properties.configuration.secrets.0.identity'))),
          bodyAt(job, 'properties.configuration.secrets.0.value'),
          nameOf(bodyAt(job, 'properties.configuration.secrets.0.keyVaultUrl')),
        ],
        [
          'id-runner',
          null,
          textOf(((view.value('runner') ?? {}) as Record<string, Data>)['secretName'] ?? ''),
        ],
      ),
      ...mustBe(
        'identities that jobs of the runner can act as',
        bodyAt(job, 'properties.configuration.identitySettings.0.lifecycle'),
        'None',
      ),
      ...mustBe(
        'the end of a runner',
        Number(bodyAt(job, 'properties.configuration.replicaTimeout')) <= 10_800,
        true,
      ),
    ]),
  ];
}

function firewall(view: View): string[] {
  const rules = ofType(view, 'Microsoft.Sql/servers/firewallRules').map(
    (item) =>
      `${textOf(bodyAt(item, 'properties.startIpAddress'))}-${textOf(bodyAt(item, 'properties.endIpAddress'))}`,
  );
  return mustBe(
    'the firewall of the SQL server',
    rules,
    isPrivate(view) || hasExistingServer(view) ? [] : ['0.0.0.0-0.0.0.0'],
  );
}
