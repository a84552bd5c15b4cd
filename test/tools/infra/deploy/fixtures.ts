/** Words, answers and packages that tests of deployments share. What is about neither stack plays `toolsOf`, so that it passes where there is one alone. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackName } from '../../../../infra/deploy/environments.ts';
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

/** Outputs as both tools print them. */
const printed = (outputs: Record<string, unknown>) =>
  JSON.stringify(Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, { value }])));

/** The record of a deployment that has succeeded, as az lists it. */
const listed = (name: string) =>
  `[{"name":"${name}-20260131T090000","state":"Succeeded","time":"2026-01-31T09:12:00Z"}]`;

/** What az lists of groups. */
export const groupsListed = (...groups: readonly object[]) =>
  `if (call.startsWith('group list')) console.log(${JSON.stringify(JSON.stringify(groups))});`;
/** The group of the environment dev, as an earlier version has made it. */
export const groupOfDev = { name: 'rg-dev', location: 'westeurope', environment: 'dev', stack: null };

const ofEntra = { API_CLIENT_ID: 'api' };

/** An az that knows both deployments of Bicep, gives the token `the-token`, and then runs more JavaScript. */
export const azOfBicep = (outputs: Record<string, unknown>, more = '') => `
if (call.startsWith('deployment sub show --name records-entra-')) console.log(${JSON.stringify(printed(ofEntra))});
else if (call.startsWith('deployment sub show')) console.log(${JSON.stringify(printed(outputs))});
else if (call.startsWith('deployment sub list')) console.log(${JSON.stringify(listed('NAME'))}.replace('NAME', call.split("'")[1]));
else if (call.startsWith('account get-access-token')) console.log('the-token');
${more}`;

/** A terraform that has both states. */
const terraform = (outputs: Record<string, unknown>) => `
if (call.endsWith('/entra output -json')) console.log(${JSON.stringify(printed(ofEntra))});
else if (call.endsWith(' output -json')) console.log(${JSON.stringify(printed(outputs))});
else if (call.endsWith(' state list')) console.log('module.blue');`;

/** The tools of an environment that was deployed, whichever stack a run is of; both run more JavaScript, which looks whose call it is. */
export const toolsOf = (outputs: Record<string, unknown>, more = '') => ({
  az: azOfBicep(outputs, more),
  terraform: `${terraform(outputs)}\n${more}`,
});

const azInShell = (outputs: Record<string, unknown>) => `
case "$call" in
'deployment sub show --name records-entra-'*) ${answers('', printed(ofEntra))};;
'deployment sub show'*) ${answers('', printed(outputs))};;
'deployment sub list'*) name=\${call#*\\'}; printf '%s\\n' "[{\\"name\\":\\"\${name%%\\'*}-20260131T090000\\",\\"state\\":\\"Succeeded\\",\\"time\\":\\"2026-01-31T09:12:00Z\\"}]";;
'account get-access-token'*) echo the-token;;
esac`;
const terraformInShell = (outputs: Record<string, unknown>) => `
case "$call" in
*'/entra output -json') ${answers('', printed(ofEntra))};;
*' output -json') ${answers('', printed(outputs))};;
*' state list') echo module.blue;;
esac`;

/** The same in lines of the shell, for child processes. */
export const toolsInShell = (outputs: Record<string, unknown>, ...more: string[]) => ({
  az: [azInShell(outputs), ...more].join('\n'),
  terraform: [terraformInShell(outputs), ...more].join('\n'),
});

/** The call that makes everything but the registration. */
export const creation = /deployment sub create --name records-(?!entra-)|-chdir=infra\/terraform apply /;

/** What stands in each call that makes something. */
export const creates: Readonly<Record<StackName, string>> = {
  bicep: 'deployment sub create',
  terraform: ' apply -auto-approve ',
};

/** The calls by which a stack forgets the environment dev, whose group is gone. */
export const forgetting: Readonly<Record<StackName, readonly string[]>> = {
  bicep: ['az deployment sub delete --name records-dev-20260131T090000'],
  terraform: [
    'terraform -chdir=infra/terraform workspace select default',
    'terraform -chdir=infra/terraform workspace delete -force dev',
  ],
};

const readsOutputs =
  /^az deployment sub (?:show|list) |^terraform \S+ (?:init|workspace select -or-create=true|output) /;

/** The calls but those by which outputs are read. */
export const besidesOutputs = (calls: readonly string[]) => calls.filter((call) => !readsOutputs.test(call));

/** The calls that change something. */
export const changesIn = (calls: readonly string[]) =>
  besidesOutputs(calls).filter((call) => !/ (?:show|list|exists)(?: |$)/.test(call));

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
