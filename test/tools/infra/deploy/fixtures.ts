/** Words, answers and packages that tests of deployments share. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers } from '../../../support/fake-tools.ts';
import { newFolder } from '../../../support/temporary-folder.ts';
import { zipOf } from '../../../support/zip-of.ts';

/** Writes a package into a new folder; more names make it larger. */
export function packageFile(...more: readonly string[]): string {
  const file = join(newFolder(), 'app.zip');
  writeFileSync(file, zipOf('host.json', ...more));
  return file;
}

/** Variables of a pipeline that hands outputs from one step to the next. */
export const given = (outputs: object) => ({ DEPLOYMENT_OUTPUTS: JSON.stringify(outputs) });

export const quick = ['--wait', '0', '--yes'];
export const values = [
  '--set',
  'location=westeurope',
  '--set',
  'sqlAdministratorLogin=admins',
  '--set',
  'sqlAdministratorObjectId=1',
  '--set',
  'serviceApiUsername=service',
  '--set',
  'calendarSiteUrl=https://example.org',
];

export const armOutputs = (outputs: Record<string, unknown>) =>
  JSON.stringify(Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, { value }])));

/** The record of a deployment that has succeeded, as az lists it. */
const listed = (name: string) =>
  `[{"name":"${name}-20260131T090000","state":"Succeeded","time":"2026-01-31T09:12:00Z"}]`;

/** What az lists of groups. */
export const groupsListed = (...groups: readonly object[]) =>
  `if (call.startsWith('group list')) console.log(${JSON.stringify(JSON.stringify(groups))});`;
/** The group of the environment dev, as an earlier version has made it. */
export const groupOfDev = { name: 'rg-dev', location: 'westeurope', environment: 'dev', stack: null };

/** An az that knows both deployments, gives the token `the-token`, and then runs more JavaScript. */
export const az = (outputs: Record<string, unknown>, more = '') => `
if (call.startsWith('deployment sub show --name records-entra-')) console.log(${JSON.stringify(armOutputs({ API_CLIENT_ID: 'api' }))});
else if (call.startsWith('deployment sub show')) console.log(${JSON.stringify(armOutputs(outputs))});
else if (call.startsWith('deployment sub list')) console.log(${JSON.stringify(listed('NAME'))}.replace('NAME', call.split("'")[1]));
else if (call.startsWith('account get-access-token')) console.log('the-token');
${more}`;

/** The same in lines of the shell, for child processes. */
export const azInShell = (outputs: Record<string, unknown>, ...more: string[]) => `
case "$call" in
'deployment sub show --name records-entra-'*) ${answers('', armOutputs({ API_CLIENT_ID: 'api' }))};;
'deployment sub show'*) ${answers('', armOutputs(outputs))};;
'deployment sub list'*) name=\${call#*\\'}; printf '%s\\n' "[{\\"name\\":\\"\${name%%\\'*}-20260131T090000\\",\\"state\\":\\"Succeeded\\",\\"time\\":\\"2026-01-31T09:12:00Z\\"}]";;
'account get-access-token'*) echo the-token;;
esac
${more.join('\n')}`;

export const made = {
  AZURE_ENV_NAME: 'dev',
  DEPLOYED_AS: '',
  AZURE_RESOURCE_GROUP: 'rg-dev',
  FUNCTION_APP_NAME: 'func-dev',
  GREEN_FUNCTION_APP_NAME: 'func-dev-g',
  API_CLIENT_ID: 'api',
  CALENDAR_BASE_PATH: 'events/v1',
};

/** Lets az name a deployment endpoint. */
export const namesEndpoint = (url: string) =>
  `if (call.startsWith('resource show')) console.log(${JSON.stringify(url)});`;

/** The same in a line of the shell. */
export const namesEndpointInShell = (url: string) => answers('resource show', url);

/** Outputs by which the steps of the databases find a server; nothing listens there. */
export const databases = {
  DB_SERVER: '127.0.0.1',
  DB_NAME: 'records',
  DB_CUSTOMIZATION_NAME: 'customization',
  SQL_SERVER_NAME: 'sql-dev',
  SERVICE_API_USERNAME: 'service',
  RUNTIME_IDENTITY_NAME: 'id-dev',
  RUNTIME_IDENTITY_CLIENT_ID: '12345678-9abc-def0-1122-334455667788',
};
