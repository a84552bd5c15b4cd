import type { Finding, Project } from '../model.ts';
import { type Data, textOf } from '../plan/data.ts';
import { differences } from '../plan/lines.ts';
import type { PlannedResource } from '../plan/plan.ts';
import { inputs } from '../plan/sets.ts';
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
  listAt,
  mustBe,
  nameOf,
  ofType,
  overPlans,
  role,
  type View,
} from './views.ts';

const given =
  (parameter: string) =>
  ({ value }: View) =>
    textOf(value(parameter));
const urlOf = (app: string) => `https://<${app}:hostName>`;
const where = (condition: (view: View) => boolean, text: (view: View) => string) => (view: View) =>
  condition(view) ? text(view) : '';
const group = ({ value }: View) => textOf(value('existing_resource_group_name')) || 'rg';
const isOurs = (view: View) => !hasExistingServer(view);

/** What `npm run deploy` and people take from a deployment: each output names what it says, with names of resources reduced to their prefixes. */
const due: Readonly<Record<string, (view: View) => string | undefined>> = {
  AZURE_ENV_NAME: ({ environment }) => environment,
  FUNCTION_APP_NAME: () => 'func',
  FUNCTION_APP_URL: () => urlOf('func'),
  GREEN_FUNCTION_APP_NAME: where(hasGreenApp, () => 'func-g'),
  GREEN_FUNCTION_APP_URL: where(hasGreenApp, () => urlOf('func-g')),
  CALENDAR_APP_NAME: where(hasCalendarApp, () => 'func-c'),
  CALENDAR_APP_URL: where(hasCalendarApp, () => urlOf('func-c')),
  CUSTOM_DOMAIN: domainOf,
  DOMAIN_VERIFICATION_ID: (view) => `<${hasCalendarApp(view) ? 'func-c' : 'func'}:verificationId>`,
  SQL_SERVER_NAME: (view) => (isOurs(view) ? 'sql' : undefined),
  DB_SERVER: (view) => (isOurs(view) ? '<sql:hostName>' : undefined),
  DB_NAME: given('main_database_name'),
  DB_CUSTOMIZATION_NAME: given('customization_database_name'),
  CALENDAR_PLACE: ({ value }) =>
    `<stdata:tableEndpoint>${textOf(value('calendar_table_name'))}/${textOf(value('calendar_name'))}`,
  PICTURES_PLACE: ({ value }) => `<stdata:blobEndpoint>pictures/${textOf(value('calendar_name'))}`,
  BACKUP_ACCOUNT_URL: where(hasBackup, () => '<stbackup:tableEndpoint>'),
  BACKUP_BLOB_URL: where(hasBackup, () => '<stbackup:blobEndpoint>'),
  RUNTIME_IDENTITY_NAME: () => 'id',
  RUNTIME_IDENTITY_CLIENT_ID: () => '<id:clientId>',
  // What teardown removes, and what it must leave.
  AZURE_RESOURCE_GROUP: group,
  RESOURCE_GROUP_MADE: (view) => String(group(view) === 'rg'),
  GATEWAY_NAME: where(hasGateway, () => 'apim'),
  SQL_SERVER_RESOURCE_GROUP: (view) => (isOurs(view) ? group(view) : 'rg-product'),
  API_CLIENT_ID: () => inputs['API_CLIENT_ID']?.[1],
  SERVICE_API_USERNAME: () => inputs['SERVICE_API_USERNAME']?.[1],
  OBJECT_TYPES: given('object_types'),
  OBJECT_METADATA: given('object_metadata'),
  CALENDAR_BASE_PATH: given('calendar_base_path'),
  CORS_ORIGINS: given('cors_origins'),
  ROLE_ASSIGNMENTS_CREATED: given('create_role_assignments'),
  PIPELINE_IDENTITY_NAME: where(hasPipeline, () => 'id-pipeline'),
  PIPELINE_IDENTITY_CLIENT_ID: where(hasPipeline, () => '<id-pipeline:clientId>'),
  PIPELINE_IDENTITY_PRINCIPAL_ID: where(hasPipeline, () => '<id-pipeline:principalId>'),
  BACKUP_IDENTITY_CLIENT_ID: where(hasBackupWorkflow, () => '<id-backup:clientId>'),
  RUNNER_LABEL: where(hasRunner, ({ environment }) => `inside-${environment}`),
};

/** Outputs name what they say: a push to the app of another colour, or a migration of the other database, would begin here. */
export function outputs(project: Project): Finding[] {
  return overPlans(project, (view) => [
    ...Object.entries(due).flatMap(([name, of]) => {
      const wanted = of(view);
      const found: Data = role(view.plan.outputs[name] ?? null);
      return wanted === undefined ? [] : mustBe(`the output ${name}`, found, wanted);
    }),
    ...configurations(view),
  ]);
}

/** `drift` compares the apps in Azure with what this output says that was set: all of it, of each app. */
function configurations(view: View): string[] {
  const text = (body: PlannedResource['body']) =>
    ['identity', 'properties'].map((part) => JSON.stringify(bodyAt({ body }, part))).join();
  const made = ofType(view, 'Microsoft.Web/sites').map(({ id, body }) => [nameOf(id), text(body)] as const);
  const said = listAt(view.plan.outputs['APP_CONFIGURATION'] ?? null).map((app) => {
    const body = app as PlannedResource['body'];
    return [textOf(body['name'] ?? null), text(body)] as const;
  });
  return differences(new Map(made), new Map(said)).map(
    ([name]) => `the output APP_CONFIGURATION has not what is set of ${role(name)}`,
  );
}
