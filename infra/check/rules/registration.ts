import type { Finding, Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import { tenantId } from '../plan/ids.ts';
import type { Plan } from '../plan/plan.ts';
import { bodyAt, mustBe } from './views.ts';

/** Of this environment in this subscription alone. */
const uniqueName = /^records-and-calendar-dev-[0-9a-f]{13}$/;
/** What the parameters of the plan name. */
const pipeline = '66666666-6666-6666-6666-666666666666';
const client = '55555555-5555-5555-5555-555555555555';

/** The app registration issues the tokens that the app reads: version 2, of one tenant, with e-mail address and kind of caller. */
export function registration({ plans }: Project): Finding[] {
  const entra = plans.find(({ name }) => name === 'entra');
  return Object.entries({ bicep: entra?.bicep, terraform: entra?.terraform }).flatMap(([stack, plan]) =>
    plan === undefined || plan instanceof Error
      ? []
      : check(plan).map((message) => ({ file: `infra/${stack}/entra`, message })),
  );
}

function check({ resources }: Plan): string[] {
  const ofType = (type: string) => resources.filter((item) => item.type === `Microsoft.Graph/${type}`);
  const [application] = ofType('applications').filter((item) => bodyAt(item, 'appRoles') !== null);
  const list = (path: string) => (bodyAt(application, path) ?? []) as Record<string, Data>[];
  const name = textOf(bodyAt(application, 'uniqueName'));
  const appRoles = list('appRoles');
  const [scope = {}] = list('api.oauth2PermissionScopes');
  const ids = [...appRoles, scope].map(({ id }) => id);
  /** The roles of a principal, or of a client by the end of its name. */
  const rolesOf = (principal: string) =>
    ofType('appRoleAssignedTo')
      .filter((item) => textOf(bodyAt(item, 'principalId')).includes(principal))
      .map((item) => appRoles.find(({ id }) => id === bodyAt(item, 'appRoleId'))?.['value'] ?? null);
  const clients = ofType('applications').flatMap(({ id }) => /-[0-9a-f]{13}-([a-z-]+)$/.exec(id)?.[1] ?? []);
  const everyone = ['User', 'Application'];
  const facts: readonly (readonly [what: string, found: Data, wanted: Data])[] = [
    ['the version of tokens', bodyAt(application, 'api.requestedAccessTokenVersion'), 2],
    ['whose accounts may sign in', bodyAt(application, 'signInAudience'), 'AzureADMyOrg'],
    [
      'the claims of access tokens',
      list('optionalClaims.accessToken').map((claim) => claim['name'] ?? null),
      ['email', 'idtyp'],
    ],
    ['a unique name', uniqueName.test(name), true],
    ['the identifier', bodyAt(application, 'identifierUris'), [`api://${tenantId}/${name}`]],
    [
      'the scope',
      ['value', 'type', 'isEnabled'].map((key) => scope[key] ?? null),
      ['access_as_user', 'User', true],
    ],
    [
      'the roles, and who may have them',
      appRoles.map((role) => ['value', 'allowedMemberTypes', 'isEnabled'].map((key) => role[key] ?? null)),
      // A role of a background service must not be given to people, who have their own accounts.
      [
        ['Service.Access', ['Application'], true],
        ...['Contributor', 'Author', 'Editor'].map((role) => [`Calendar.${role}`, everyone, true]),
      ],
    ],
    ['different identifiers of roles and scopes', new Set(ids).size, ids.length],
    ['the role of background services', rolesOf(pipeline), ['Service.Access']],
    [
      'the roles of clients with passwords',
      clients.sort().map((name) => [name, ...rolesOf(`-${name}:appId>`)]),
      [
        ['editors-desk', 'Calendar.Editor'],
        ['importer', 'Calendar.Author'],
      ],
    ],
    [
      'the clients that need no consent',
      list('api.preAuthorizedApplications'),
      [{ appId: client, delegatedPermissionIds: [scope['id'] ?? null] }],
    ],
    [
      'where people return after sign-in',
      bodyAt(application, 'spa.redirectUris'),
      ['https://api.example.org/swagger'],
    ],
  ];
  return facts.flatMap(([what, found, wanted]) => mustBe(what, found, wanted));
}
