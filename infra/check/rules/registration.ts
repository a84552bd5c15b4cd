import api from '../../entra/api.json' with { type: 'json' };
import { difference, type Finding, type Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import type { Plan } from '../plan/plan.ts';
import { entraValues } from '../plan/sets.ts';
import { bodyAt, listAt, mustBe, nameOf } from './views.ts';

/** Who may hold each app role (functions/calendar and shared/auth know them by these names). Service.Access acts as the service's own account: it is never a person's. */
const appRoles: Readonly<Record<string, readonly string[]>> = {
  'Service.Access': ['Application'],
  'Calendar.Contributor': ['User', 'Application'],
  'Calendar.Author': ['User', 'Application'],
  'Calendar.Editor': ['User', 'Application'],
};

/** The registration knows the app's roles, says what the app asks of a token, and gives each client the role that was asked for and no other. */
export function registration({ plans }: Project): Finding[] {
  const plan = plans.find(({ name }) => name === 'entra')?.bicep;
  if (plan === undefined || plan instanceof Error) return [];
  return [...ofApplications(plan), ...ofAssignments(plan)].map((message) => ({
    file: 'infra/bicep/entra/main.bicep',
    message,
  }));
}

const named = (value: Data) => listAt(value).map((item) => item as Readonly<Record<string, Data>>);

function ofApplications({ resources }: Plan): string[] {
  const applications = resources.filter(({ type }) => type === 'Microsoft.Graph/applications');
  const service = applications.find((application) => listAt(bodyAt(application, 'appRoles')).length > 0);
  const roles = named(bodyAt(service, 'appRoles')).map(
    ({ value = null, allowedMemberTypes = null, isEnabled = null }) => [
      textOf(value),
      isEnabled === false ? [] : allowedMemberTypes,
    ],
  );
  const scopes = named(bodyAt(service, 'api.oauth2PermissionScopes'));
  const claims = named(bodyAt(service, 'optionalClaims.accessToken')).map(({ name = null }) => textOf(name));
  return [
    ...applications.flatMap((application) => {
      const at = (path: string) => bodyAt(application, path);
      return [
        ...mustBe(`signInAudience of ${nameOf(application.id)}`, at('signInAudience'), 'AzureADMyOrg'),
        ...mustBe(
          `requestedAccessTokenVersion of ${nameOf(application.id)}`,
          at('api.requestedAccessTokenVersion'),
          2,
        ),
        ...mustBe(`implicit tokens of ${nameOf(application.id)}`, at('web.implicitGrantSettings'), null),
        ...mustBe(`passwords of ${nameOf(application.id)}`, at('passwordCredentials'), null),
      ];
    }),
    ...mustBe('who may hold the app roles', Object.fromEntries(roles), appRoles as Data),
    ...mustBe(
      'the scope',
      scopes.map(({ value = null, type = null, isEnabled = null }) => [value, type, isEnabled]),
      [['access_as_user', 'User', true]],
    ),
    // The e-mail address of a person; and whether a person calls at all.
    ...mustBe('the claims of access tokens', claims.sort(), ['email', 'idtyp']),
    ...mustBe('redirectUris', bodyAt(service, 'spa.redirectUris'), entraValues.redirect_uris),
    ...mustBe(
      'the clients without consent',
      named(bodyAt(service, 'api.preAuthorizedApplications')).map(({ appId = null }) => appId),
      entraValues.pre_authorized_client_ids,
    ),
  ];
}

function ofAssignments({ resources }: Plan): string[] {
  const due = [
    ...entraValues.service_access_principal_ids.map((id) => `${id}: Service.Access`),
    ...entraValues.calendar_clients.map(({ name, role }) => `${name}: ${role}`),
  ];
  const found = resources
    .filter(({ type }) => type === 'Microsoft.Graph/appRoleAssignedTo')
    .map((assignment) => {
      const principal = textOf(bodyAt(assignment, 'principalId'));
      const [, client = principal] = /-[0-9a-f]{13}-([\w-]+):appId/.exec(principal) ?? [];
      const granted = api.appRoles.find(({ id }) => id === bodyAt(assignment, 'appRoleId'));
      return `${client}: ${granted?.value ?? 'an unknown role'}`;
    });
  const [missing, surplus] = difference(due, found);
  return [
    ...missing.map((line) => `lacks the role "${line}"`),
    ...surplus.map((line) => `gives the role "${line}", for which nobody asked`),
  ];
}
