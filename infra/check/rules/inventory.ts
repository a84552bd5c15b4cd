import roles from '../../facts/roles.json' with { type: 'json' };
import { difference, type Finding, type Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import type { PlannedResource } from '../plan/plan.ts';
import { expectedApps } from './expected-apps.ts';
import {
  bodyAt,
  domainOf,
  hasBackup,
  hasBackupWorkflow,
  hasCalendarApp,
  hasExistingServer,
  hasGateway,
  hasGreenApp,
  hasPipeline,
  hasRunner,
  isClosed,
  isPrivate,
  listAt,
  nameOf,
  ofType,
  overPlans,
  role,
  type View,
} from './views.ts';

/** Lines of text: the due ones, and those found in a plan. */
type Inventory = (view: View) => readonly [due: readonly string[], found: readonly string[]];
/** Lines with the condition under which each must be there. */
type Lines = readonly (readonly [line: string, when: boolean])[];

const dueOf = (lines: Lines) => lines.flatMap(([line, when]) => (when ? [line] : []));
const owner = ({ id }: PlannedResource, type: string) => role(id.split(`/providers/${type}/`)[0] ?? '');
const is = (view: View, parameter: string) => view.value(parameter) === true;

const apps: Inventory = (view) => [
  expectedApps(view).map(({ name }) => name),
  ofType(view, 'Microsoft.Web/sites').map(({ id }) => role(nameOf(id))),
];

/** The name of one's own is that of the app that callers reach. */
const names: Inventory = (view) => {
  const domain = domainOf(view);
  return [
    domain === '' ? [] : [`${domain} of ${hasCalendarApp(view) ? 'func-c' : 'func'}`],
    ofType(view, 'Microsoft.Web/sites/hostNameBindings').map(
      ({ id }) => `${nameOf(id)} of ${role(id.split('/').at(-3) ?? '')}`,
    ),
  ];
};

const firewall: Inventory = (view) => [
  isPrivate(view) || hasExistingServer(view) ? [] : ['0.0.0.0 to 0.0.0.0'],
  ofType(view, 'Microsoft.Sql/servers/firewallRules').map((rule) =>
    ['start', 'end'].map((end) => textOf(bodyAt(rule, `properties.${end}IpAddress`))).join(' to '),
  ),
];

const locks: Inventory = (view) => [
  dueOf([
    ['stdata', true],
    ['stbackup', is(view, 'calendar_backup')],
    [textOf(view.value('main_database_name')), true],
    [textOf(view.value('customization_database_name')), true],
  ]).flatMap((name) => (is(view, 'delete_locks') ? [`CanNotDelete on ${name}`] : [])),
  ofType(view, 'Microsoft.Authorization/locks').map(
    (lock) =>
      `${textOf(bodyAt(lock, 'properties.level'))} on ${nameOf(owner(lock, 'Microsoft.Authorization/locks'))}`,
  ),
];

/** Azure keeps the backups of a database for a week, and none for long, where no policy says otherwise. */
const backupPolicies: Inventory = (view) => {
  const databases = hasExistingServer(view)
    ? []
    : ['main', 'customization'].map((name) => textOf(view.value(`${name}_database_name`)));
  const keepsLong = ['weekly', 'monthly', 'yearly'].some(
    (term) => view.value(`backup_${term}_retention`) !== 'PT0S',
  );
  const found = (term: string) =>
    ofType(view, `Microsoft.Sql/servers/databases/backup${term}TermRetentionPolicies`).map(
      ({ id }) => `${term} of ${id.split('/').at(-3)}`,
    );
  return [
    databases.flatMap((name) =>
      dueOf([
        [`Short of ${name}`, true],
        [`Long of ${name}`, keepsLong],
      ]),
    ),
    [...found('Short'), ...found('Long')],
  ];
};

/** What nobody may change or delete for a time, not even who writes it. */
const immutable: Inventory = (view) => [
  dueOf([['backups of stbackup', hasBackup(view)]]),
  ofType(view, 'Microsoft.Storage/storageAccounts/blobServices/containers/immutabilityPolicies').map(
    ({ id }) => {
      const steps = role(id).split('/');
      return `${steps.at(-3)} of ${steps.at(-7)}`;
    },
  ),
];

const roleNames = new Map(Object.entries(roles.roles).map(([name, id]) => [id, name]));

/**
 * Each identity has exactly the roles that it needs, on the smallest scope: the identity of the public calendar has none on the app of the
 * records, and the other way round.
 */
const neededRoles = (view: View) => {
  const calendar = hasCalendarApp(view);
  const pipeline = hasPipeline(view);
  const backup = hasBackupWorkflow(view);
  return dueOf([
    ['<id:principalId>: Storage Blob Data Owner on storageAccounts/sthost', true],
    ['<id:principalId>: Monitoring Metrics Publisher on components/appi', true],
    [`<${calendar ? 'id-c' : 'id'}:principalId>: Storage Table Data Contributor on tables/calendar`, true],
    [`<${calendar ? 'id-c' : 'id'}:principalId>: Storage Blob Data Contributor on containers/pictures`, true],
    ['<id-c:principalId>: Storage Blob Data Owner on storageAccounts/stcal', calendar],
    ['<id-c:principalId>: Monitoring Metrics Publisher on components/appi', calendar],
    ['<id-pipeline:principalId>: Website Contributor on sites/func', pipeline],
    ['<id-pipeline:principalId>: Website Contributor on sites/func-c', pipeline && calendar],
    ['<id-pipeline:principalId>: Website Contributor on sites/func-g', pipeline && hasGreenApp(view)],
    ['<id-runner:principalId>: Key Vault Secrets User on secrets/github-app', hasRunner(view)],
    ['<id-backup:principalId>: Storage Table Data Reader on tables/calendar', backup],
    ['<id-backup:principalId>: Storage Blob Data Contributor on storageAccounts/stbackup', backup],
    ['<id-backup:principalId>: Storage Blob Data Reader on containers/pictures', backup],
    ['<apim:principalId>: Monitoring Metrics Publisher on components/appi', hasGateway(view)],
  ]);
};

function described(principal: Data = null, definition: Data = null, scope: Data = null): string {
  const place = role(scope).split('/').slice(-2).join('/');
  return `${role(principal)}: ${roleNames.get(nameOf(definition)) ?? nameOf(definition)} on ${place}`;
}

/** A role assignment in words: `<identity>: <role> on <scope>`. */
export const describedAssignment = (assignment: PlannedResource): string =>
  described(
    bodyAt(assignment, 'properties.principalId'),
    bodyAt(assignment, 'properties.roleDefinitionId'),
    assignment.id.split('/providers/Microsoft.Authorization/')[0],
  );

const assigned: Inventory = (view) => [
  is(view, 'create_role_assignments') ? neededRoles(view) : [],
  ofType(view, 'Microsoft.Authorization/roleAssignments').map(describedAssignment),
];

/** What others may assign where we may not. */
const listed: Inventory = (view) => [
  neededRoles(view),
  listAt(view.plan.outputs['ROLE_ASSIGNMENTS'] ?? null).map((assignment) => {
    const { principalId, role: definition, scope } = assignment as Record<string, Data>;
    return described(principalId, definition, scope);
  }),
];

/** The identities outside of Azure that may act as an identity: workflows of the repository, in the GitHub environment of each. */
const trusted: Inventory = (view) => {
  const { environment } = view;
  const subject = `https://token.actions.githubusercontent.com repo:${textOf(view.value('github_repository'))}:environment:${environment}`;
  return [
    dueOf([
      [`id-pipeline: ${subject} api://AzureADTokenExchange`, hasPipeline(view)],
      [`id-backup: ${subject}-backup api://AzureADTokenExchange`, hasBackupWorkflow(view)],
    ]),
    ofType(view, 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials').map(
      (credential) => {
        const values = ['issuer', 'subject', 'audiences'].map((name) =>
          [bodyAt(credential, `properties.${name}`)].flat().join(),
        );
        return `${role(credential.id.split('/').at(-3) ?? '')}: ${values.join(' ')}`;
      },
    ),
  ];
};

/** Each private endpoint leads to what it is for, and to nothing else. */
const endpoints: Inventory = (view) => {
  const backup = hasBackup(view);
  const closed = isClosed(view);
  return [
    isPrivate(view)
      ? dueOf([
          ['host-blob: blob of sthost', true],
          ['data-table: table of stdata', true],
          ['data-blob: blob of stdata', true],
          [`sql: sqlServer of ${hasExistingServer(view) ? 'sql-product' : 'sql'}`, true],
          ['calendar-host-blob: blob of stcal', hasCalendarApp(view)],
          ['backup-table: table of stbackup', backup],
          ['backup-blob: blob of stbackup', backup],
          ['app-blue: sites of func', closed],
          ['app-green: sites of func-g', closed && hasGreenApp(view)],
        ])
      : [],
    ofType(view, 'Microsoft.Network/privateEndpoints').map((endpoint) => {
      const at = (path: string) =>
        bodyAt(endpoint, `properties.privateLinkServiceConnections.0.properties.${path}`);
      const name = nameOf(endpoint.id).replace(`pep-${view.environment}-`, '');
      return `${name}: ${listAt(at('groupIds')).map(textOf).join()} of ${role(nameOf(at('privateLinkServiceId')))}`;
    }),
  ];
};

/** What sends logs or metrics to a workspace, where alerts and operators look. */
const diagnosed: Inventory = (view) => {
  const databases = [
    'master',
    textOf(view.value('main_database_name')),
    textOf(view.value('customization_database_name')),
  ];
  const backup = hasBackup(view);
  return [
    [
      ...expectedApps(view).map(({ name }) => name),
      ...(hasExistingServer(view) ? [] : databases.map((name) => `sql/databases/${name}`)),
      ...dueOf([
        ['sthost/blobServices/default', true],
        ['stdata/blobServices/default', true],
        ['stdata/tableServices/default', true],
        ['stcal/blobServices/default', hasCalendarApp(view)],
        ['stbackup/blobServices/default', backup],
        ['stbackup/tableServices/default', backup],
        ['apim', hasGateway(view)],
        ['cae', hasRunner(view)],
      ]),
    ],
    ofType(view, 'Microsoft.Insights/diagnosticSettings').map((setting) =>
      owner(setting, 'Microsoft.Insights/diagnosticSettings').replace(/.*\/providers\/[\w.]+\/\w+\//, ''),
    ),
  ];
};

const inventories: Readonly<Record<string, Inventory>> = {
  apps,
  names,
  locks,
  'backup policies': backupPolicies,
  'immutable containers': immutable,
  'firewall rules': firewall,
  'assigned roles': assigned,
  'roles to assign': listed,
  'trusted workflows': trusted,
  'private endpoints': endpoints,
  'diagnostic settings': diagnosed,
};

/** Of the resources that open or guard something (apps, firewall rules, locks, roles), exactly those that the parameters ask for exist. */
export function inventory(project: Project): Finding[] {
  return [
    ...overPlans(project, (view) =>
      Object.entries(inventories).flatMap(([what, of]) => {
        const [missing, surplus] = difference(...of(view));
        return [
          ...missing.map((line) => `${what}: "${line}" is missing`),
          ...surplus.map((line) => `${what}: "${line}" is there, and nobody needs it`),
        ];
      }),
    ),
    ...tooBroad(project.files.get(roleFacts) ?? '{}'),
  ];
}

const roleFacts = 'infra/facts/roles.json';

/** A deployer may assign the roles of the facts but for those that give rights to everything (docs/deploy.md): with one of them it could take all. */
function tooBroad(text: string): Finding[] {
  const { roles: known = {}, tooBroad: listed = [] } = JSON.parse(text);
  const broad = [
    'Owner',
    'Contributor',
    'User Access Administrator',
    'Role Based Access Control Administrator',
  ];
  return broad
    .filter((name) => name in known && !listed.includes(name))
    .map((name) => ({ file: roleFacts, message: `a deployer might assign ${name}, which is too broad` }));
}
