import roles from '../../facts/roles.json' with { type: 'json' };
import { difference, type Finding, type Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import { sets } from '../plan/sets.ts';
import { bodyAt, hasCalendarApp, hasRunner, nameOf, ofType, overPlans, role, type View } from './views.ts';

const roleNames = new Map(Object.entries(roles.roles).map(([name, id]) => [id, name]));

/** Role assignments: `principal: role on scope`, and the value of the parameter under which each exists. */
const wanted: readonly [assignment: string, when: (view: View) => boolean][] = [
  ['<id:principalId>: Storage Blob Data Owner on storageAccounts/sthost', () => true],
  ['<id:principalId>: Storage Table Data Contributor on tables/calendar', (view) => !hasCalendarApp(view)],
  ['<id:principalId>: Storage Blob Data Contributor on containers/pictures', (view) => !hasCalendarApp(view)],
  ['<id:principalId>: Monitoring Metrics Publisher on components/appi', () => true],
  // The public calendar may do nothing to the records' app, nor the records' app anything to the calendar.
  ['<id-c:principalId>: Storage Blob Data Owner on storageAccounts/stcal', hasCalendarApp],
  ['<id-c:principalId>: Storage Table Data Contributor on tables/calendar', hasCalendarApp],
  ['<id-c:principalId>: Storage Blob Data Contributor on containers/pictures', hasCalendarApp],
  ['<id-c:principalId>: Monitoring Metrics Publisher on components/appi', hasCalendarApp],
  [
    '<id-pipeline:principalId>: Website Contributor on sites/func-c',
    (view) => hasCalendarApp(view) && view.value('github_repository') !== '',
  ],
  [
    '<id-pipeline:principalId>: Website Contributor on sites/func',
    ({ value }) => value('github_repository') !== '',
  ],
  [
    '<id-pipeline:principalId>: Website Contributor on sites/func-g',
    ({ value }) => value('github_repository') !== '' && value('green_app') === true,
  ],
  ['<id-runner:principalId>: Key Vault Secrets User on secrets/github-app', hasRunner],
  ['<id-backup:principalId>: Storage Table Data Contributor on storageAccounts/stbackup', hasBackupIdentity],
  ['<id-backup:principalId>: Storage Table Data Reader on tables/calendar', hasBackupIdentity],
  ['<id-backup:principalId>: Storage Blob Data Contributor on storageAccounts/stbackup', hasBackupIdentity],
  ['<id-backup:principalId>: Storage Blob Data Reader on containers/pictures', hasBackupIdentity],
  [
    '<apim:principalId>: Monitoring Metrics Publisher on components/appi',
    ({ value }) => value('gateway_sku') !== 'None',
  ],
];

/** Whether a workflow writes backups of the calendar. */
function hasBackupIdentity({ value }: View): boolean {
  return value('calendar_backup') === true && value('github_repository') !== '';
}

/** Each identity has exactly the roles that it needs, on the smallest scope; what is listed for others to assign is the same. */
export function whoMayWhat(project: Project): Finding[] {
  return overPlans(project, (view) => {
    const due = wanted.filter(([, when]) => when(view)).map(([assignment]) => assignment);
    const made = ofType(view, 'Microsoft.Authorization/roleAssignments').map(({ id, body }) => {
      const scope = id.split('/providers/Microsoft.Authorization/')[0] ?? '';
      return described(
        bodyAt({ id, type: '', body }, 'properties.principalId'),
        bodyAt({ id, type: '', body }, 'properties.roleDefinitionId'),
        scope,
      );
    });
    const output = view.plan.outputs['ROLE_ASSIGNMENTS'];
    const listed = (Array.isArray(output) ? output : []).map((item) => {
      const { principalId = null, role = null, scope = null } = item as Record<string, Data>;
      return described(principalId, role, scope);
    });
    const create = view.value('create_role_assignments') === true;
    return [
      ...compared('assigned', create ? due : [], made),
      ...compared('listed', due, listed),
      ...trusted(view),
    ];
  });
}

/** The identities outside of Azure that may act as an identity: workflows of the repository, in the GitHub environment of each. */
function trusted(view: View): string[] {
  const repository = textOf(view.value('github_repository'));
  const environment = sets[view.set]?.environment ?? '';
  const subject = (name: string) =>
    `token.actions.githubusercontent.com repo:${repository}:environment:${name} api://AzureADTokenExchange`;
  const due = [
    ...(repository === '' ? [] : [`id-pipeline: ${subject(environment)}`]),
    ...(hasBackupIdentity(view) ? [`id-backup: ${subject(`${environment}-backup`)}`] : []),
  ];
  const found = ofType(
    view,
    'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials',
  ).map((item) => {
    const [issuer, who, audiences] = ['issuer', 'subject', 'audiences'].map((name) =>
      bodyAt(item, `properties.${name}`),
    );
    const audience = (Array.isArray(audiences) ? audiences : []).map(textOf).join();
    return `${role(item.id.split('/').at(-3) ?? '')}: ${textOf(issuer ?? null).replace('https://', '')} ${textOf(who ?? null)} ${audience}`;
  });
  const [missing, surplus] = difference(due, found);
  return [
    ...missing.map((item) => `no workflow can act as ${item}`),
    ...surplus.map((surplu) => `someone else can act as ${surplu}`),
  ];
}

function described(principal: Data, definition: Data, scope: Data): string {
  const place = role(scope).split('/').slice(-2).join('/');
  return `${role(principal)}: ${roleNames.get(nameOf(definition)) ?? nameOf(definition)} on ${place}`;
}

function compared(what: string, due: readonly string[], found: readonly string[]): string[] {
  const [missing, surplus] = difference(due, found);
  return [
    ...missing.map((item) => `the role is not ${what}: ${item}`),
    ...surplus.map((surplu) => `a role is ${what} that nobody needs: ${surplu}`),
  ];
}
