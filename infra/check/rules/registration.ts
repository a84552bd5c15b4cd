import type { Finding, Project } from '../model.ts';
import type { Data } from '../plan/data.ts';
import { tenantId } from '../plan/ids.ts';
import type { Plan } from '../plan/plan.ts';
import { bodyAt, mustBe } from './views.ts';

/** Of this environment in this subscription alone. */
const uniqueName = /^records-and-calendar-dev-[0-9a-f]{13}$/;
const service = ['Application'];
const everyone = ['User', 'Application'];

/** The principals of each role: a role of a background service must not be given to people, who have their own accounts. */
const roles: Readonly<Record<string, readonly string[]>> = {
  'Service.Access': service,
  'Calendar.Contributor': everyone,
  'Calendar.Author': everyone,
  'Calendar.Editor': everyone,
};

/** What the parameters of the plan name. */
const pipeline = '66666666-6666-6666-6666-666666666666';

/** The app registration issues the tokens that the app reads: version 2, of one tenant, with e-mail address and kind of caller. */
export function registration({ plans }: Project): Finding[] {
  const entra = plans.find(({ name }) => name === 'entra');
  return Object.entries({ bicep: entra?.bicep, terraform: entra?.terraform }).flatMap(([stack, plan]) =>
    plan === undefined || plan instanceof Error
      ? []
      : check(plan).map((message) => ({ file: `infra/${stack}/entra`, message })),
  );
}

function check(plan: Plan): string[] {
  const all = (type: string) =>
    plan.resources.filter((resource) => resource.type === `Microsoft.Graph/${type}`);
  const application = all('applications').find((item) => bodyAt(item, 'appRoles') !== null);
  const assigned = all('appRoleAssignedTo').find((item) => bodyAt(item, 'principalId') === pipeline);
  const list = (path: string) => (bodyAt(application, path) as Record<string, Data>[] | null) ?? [];
  const entry = String(bodyAt(application, 'uniqueName'));
  const appRoles = list('appRoles');
  const scope = list('api.oauth2PermissionScopes')[0] ?? {};
  const given = appRoles.find(({ id }) => id === bodyAt(assigned, 'appRoleId'));
  return [
    ...mustBe('the version of tokens', bodyAt(application, 'api.requestedAccessTokenVersion'), 2),
    ...mustBe('whose accounts may sign in', bodyAt(application, 'signInAudience'), 'AzureADMyOrg'),
    ...mustBe(
      'the claims of access tokens',
      list('optionalClaims.accessToken').map(({ name = null }) => name),
      ['email', 'idtyp'],
    ),
    ...mustBe('a unique name', uniqueName.test(entry), true),
    ...mustBe('the identifier', bodyAt(application, 'identifierUris'), [`api://${tenantId}/${entry}`]),
    ...mustBe(
      'the scope',
      [scope['value'] ?? null, scope['type'] ?? null, scope['isEnabled'] ?? null],
      ['access_as_user', 'User', true],
    ),
    ...mustBe(
      'the roles',
      appRoles.map(({ value = null }) => value),
      Object.keys(roles),
    ),
    ...appRoles.flatMap(({ value, allowedMemberTypes = null, isEnabled = null }) => [
      ...mustBe(`who may have ${value}`, allowedMemberTypes, [...(roles[String(value)] ?? [])]),
      ...mustBe(`${value} is on`, isEnabled, true),
    ]),
    ...mustBe(
      'identifiers that roles and scopes share',
      new Set([...appRoles, scope].map(({ id }) => id)).size,
      appRoles.length + 1,
    ),
    ...mustBe('the role of background services', given?.['value'] ?? null, 'Service.Access'),
    ...mustBe('the roles of clients with passwords', clientRoles(plan, appRoles), [
      'editors-desk: Calendar.Editor',
      'importer: Calendar.Author',
    ]),
    ...mustBe('the clients that need no consent', list('api.preAuthorizedApplications'), [
      { appId: '55555555-5555-5555-5555-555555555555', delegatedPermissionIds: [scope['id'] ?? null] },
    ]),
    ...mustBe('where people return after sign-in', bodyAt(application, 'spa.redirectUris'), [
      'https://api.example.org/swagger',
    ]),
  ];
}

/** Registrations of clients, with the roles that their principals have. */
function clientRoles(plan: Plan, appRoles: readonly Record<string, Data>[]): string[] {
  return plan.resources
    .filter(({ type, id }) => type === 'Microsoft.Graph/applications' && /-[0-9a-f]{13}-[a-z-]+$/.test(id))
    .map(({ id }) => {
      const name = /-[0-9a-f]{13}-([a-z-]+)$/.exec(id)?.[1] ?? '';
      const roles = plan.resources.filter(
        (resource) =>
          resource.type === 'Microsoft.Graph/appRoleAssignedTo' &&
          String(bodyAt(resource, 'principalId')).includes(`-${name}:appId>`),
      );
      const values = roles.map(
        (item) => appRoles.find((role) => role['id'] === bodyAt(item, 'appRoleId'))?.['value'],
      );
      return `${name}: ${values.join()}`;
    })
    .sort();
}
