/**
 * Azure and its tools as a deployment meets them: a record of every call, and a state that later calls depend on. A call fails as
 * the real tool does where its documentation says how; the source stands beside each failure.
 */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connect } from '../../infra/deploy/connect.ts';
import { type Execute, ToolFailure } from '../../infra/deploy/context.ts';
import { deploy } from '../../infra/deploy/deploy.ts';
import { asOutputs, type Call, recordedAzd, recordedTerraform, type World } from './recorded-tools.ts';
import { zipOf } from './zip-of.ts';

/** What one subscription holds. */
interface Subscription {
  /** Deployments at the level of the subscription, by name. */
  readonly deployments: Map<string, { location: string; outputs: Record<string, unknown> }>;
  readonly groups: Set<string>;
  /** First days of budgets, by group. */
  readonly budgets: Map<string, string>;
  readonly databases: Set<string>;
  readonly locks: Set<string>;
}

export interface RecordedAzure {
  /** The calls so far: the tool and its words. */
  readonly calls: () => readonly string[];
  /** Runs one command line, as a shell would; gives what it printed and its exit code. */
  readonly run: (line: string) => Promise<{ code: number; output: string }>;
  /** Statements that were sent to databases, with the name of the database. */
  readonly statements: readonly string[];
  /** Lets the months pass: the first day of the current one. */
  setMonth(first: string): void;
}

export interface RecordedAzureOptions {
  /** Address of the apps and of their deployment endpoint. */
  readonly appUrl: string;
  /** Variables of the environment of every run. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Splits a command line as a POSIX shell does, without expansions. */
export function shellWords(line: string): string[] {
  const words = line.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

const versions = {
  az: '{ "azure-cli": "2.77.0" }',
  bicep: 'Bicep CLI version 0.47.16 (8a5ef5d1b0)',
};

/** Creates an Azure with two subscriptions, of which the first is selected. */
export function recordedAzure({ appUrl, environment = {} }: RecordedAzureOptions): RecordedAzure {
  const folder = mkdtempSync(join(tmpdir(), 'azure-'));
  const calls: string[] = [];
  const statements: string[] = [];
  const subscriptions = new Map(['first', 'second'].map((name) => [name, newSubscription()]));
  let [selected, month] = ['first', '2026-01-01'];
  const world: World = {
    make: (name, start, fail) => make(name, start || month, fail),
    budgetOf: (name) => current().budgets.get(`rg-${name}`) ?? '',
    outputsOf: (name) => outputsOf(name, {}),
  };
  const [terraform, azd] = [recordedTerraform(world), recordedAzd(world)];
  const current = () => subscriptions.get(selected) ?? newSubscription();

  const execute: Execute = async (command, words, { environment: variables }) => {
    calls.push([command, ...words].join(' '));
    const fail = (output: string): never => {
      throw new ToolFailure(command, 1, output);
    };
    const call = { words, text: words.join(' '), option: optionsOf(words), variables, fail };
    if (command === 'az') return `${az(call) ?? ''}\n`;
    if (command === 'terraform') return `${terraform(call) ?? ''}\n`;
    if (command === 'azd') return `${azd(call) ?? ''}\n`;
    if (command !== 'npm') throw new Error(`Cannot run ${command}: it is not on the PATH.`);
    if (call.text === 'run package') writeFileSync(join(folder, 'app.zip'), zipOf('host.json'));
    return '';
  };

  function az(call: Call): string | undefined {
    const { text, option, fail } = call;
    const is = (name: string) => text === name || text.startsWith(`${name} `);
    const here = current();
    const command = Object.keys(documented).find(is);
    for (const [, name = ''] of command === undefined ? [] : text.matchAll(/(?:^| )--([a-z-]+)/g))
      if (!documented[command ?? '']?.includes(name)) fail(`unrecognized arguments: --${name}`);
    if (is('version')) return versions.az;
    if (is('bicep version')) return versions.bicep;
    if (is('account set')) {
      // https://learn.microsoft.com/cli/azure/account#az-account-set
      if (!subscriptions.has(option('subscription')))
        fail(`The subscription of '${option('subscription')}' doesn't exist in cloud 'AzureCloud'.`);
      selected = option('subscription');
      return '';
    }
    if (is('account show')) return selected;
    if (is('account get-access-token')) return 'the-token';
    if (is('functionapp list-flexconsumption-runtimes')) return '22\n24';
    if (is('deployment sub create')) return void createDeployment(call);
    if (is('deployment sub what-if'))
      return text.includes('--output json') ? whatIf(call) : 'Resource changes: none.';
    if (is('deployment sub show')) {
      const found = here.deployments.get(option('name'));
      // https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors
      if (!found) return fail(`(DeploymentNotFound) Deployment '${option('name')}' could not be found.`);
      return asOutputs(found.outputs);
    }
    if (is('deployment sub delete')) return void here.deployments.delete(option('name'));
    if (is('rest')) {
      const group = /resourceGroups\/([^/]+)\//.exec(option('url'))?.[1] ?? '';
      if (!here.groups.has(group))
        return fail(`(ResourceGroupNotFound) Resource group '${group}' could not be found.`);
      return here.budgets.get(group) ?? '';
    }
    if (is('group exists')) return String(here.groups.has(option('name')));
    if (is('group delete')) {
      // https://learn.microsoft.com/azure/azure-resource-manager/management/lock-resources
      if (here.locks.size > 0)
        return fail(
          '(ScopeLocked) The scope cannot perform delete operation because following scope(s) are locked.',
        );
      return void here.groups.delete(option('name'));
    }
    if (is('lock list')) return [...here.locks].join('\n');
    if (is('lock delete')) return void here.locks.clear();
    if (is('resource show')) return appUrl;
    if (is('sql db restore')) return void restore(call);
    if (is('sql db rename')) return void rename(call);
    return command === undefined ? fail(`'${text}' is misspelled or not recognized by the system.`) : '';
  }

  function createDeployment({ option, variables, fail, words }: Call): void {
    const [name, location] = [option('name'), option('location')];
    const here = current();
    const before = here.deployments.get(name);
    // https://learn.microsoft.com/azure/azure-resource-manager/bicep/deploy-to-subscription#deployment-location-and-name
    if (before && before.location !== location)
      fail(
        `(InvalidDeploymentLocation) Invalid deployment location '${location}'. The deployment '${name}' already exists in location '${before.location}'.`,
      );
    const given = Object.fromEntries(
      words.flatMap((word, index) =>
        words[index - 1] === '--parameters' && word.includes('=') ? [word.split(/=(.*)/s).slice(0, 2)] : [],
      ),
    ) as Record<string, string>;
    if (name.startsWith('records-entra-'))
      return void here.deployments.set(name, { location, outputs: { API_CLIENT_ID: 'api' } });
    // https://learn.microsoft.com/azure/azure-resource-manager/bicep/bicep-functions-parameters-file#readenvironmentvariable
    for (const needed of [
      'API_CLIENT_ID',
      'SQL_ADMINISTRATOR_LOGIN',
      'SQL_ADMINISTRATOR_OBJECT_ID',
      'SERVICE_API_USERNAME',
    ])
      if (variables[needed] === undefined)
        fail(
          `Error BCP338: Failed to evaluate parameter: Environment variable "${needed}" does not exist, and no default value set.`,
        );
    make(variables['AZURE_ENV_NAME'] ?? '', given['budgetStartDate'] || month, fail);
    here.deployments.set(name, { location, outputs: outputsOf(variables['AZURE_ENV_NAME'] ?? '', given) });
  }

  /** Makes the group, its budget and databases. */
  function make(name: string, start: string, fail: Call['fail']): void {
    const here = current();
    const group = `rg-${name}`;
    const before = here.budgets.get(group);
    // The Consumption API's own answer (https://learn.microsoft.com/rest/api/consumption/budgets/create-or-update).
    if (before !== undefined && before !== start) fail('(400) Start date of budgets cannot be updated.');
    // "Past start date should be selected within the timegrain period", in the same place.
    if (before === undefined && start < month)
      fail('(400) Start date should be within the current time grain.');
    here.groups.add(group);
    here.budgets.set(group, start);
    here.databases.add('records').add('customization');
    if (name === 'prod') here.locks.add('/lock/1');
  }

  function whatIf(call: Call): string {
    const name = call.variables['AZURE_ENV_NAME'] ?? '';
    const start = /budgetStartDate=(\S+)/.exec(call.text)?.[1] ?? month;
    const before = current().budgets.get(`rg-${name}`);
    const changeType = before === undefined ? 'Create' : before === start ? 'NoChange' : 'Modify';
    const delta =
      changeType === 'Modify'
        ? [{ path: 'properties.timePeriod.startDate', propertyChangeType: 'Modify' }]
        : null;
    return JSON.stringify({
      changes: [
        {
          resourceId: `/subscriptions/s/resourceGroups/rg-${name}/providers/Microsoft.Consumption/budgets/budget-${name}`,
          changeType,
          delta,
        },
      ],
    });
  }

  function restore({ option, fail }: Call): void {
    const { databases } = current();
    if (!databases.has(option('name')))
      fail(`(ResourceNotFound) The database '${option('name')}' was not found.`);
    if (databases.has(option('dest-name')))
      fail(`(ResourceConflict) The database '${option('dest-name')}' already exists.`);
    databases.add(option('dest-name'));
  }

  function rename({ option, fail }: Call): void {
    const { databases } = current();
    if (!databases.delete(option('name')))
      fail(`(ResourceNotFound) The database '${option('name')}' was not found.`);
    if (databases.has(option('new-name')))
      fail(`(ResourceConflict) The database '${option('new-name')}' already exists.`);
    databases.add(option('new-name'));
  }

  const outputsOf = (name: string, given: Readonly<Record<string, string>>) => ({
    AZURE_ENV_NAME: name,
    AZURE_RESOURCE_GROUP: `rg-${name}`,
    FUNCTION_APP_NAME: `func-${name}`,
    FUNCTION_APP_URL: appUrl,
    CALENDAR_APP_NAME: name === 'prod' ? 'func-prod-c' : '',
    CALENDAR_APP_URL: name === 'prod' ? appUrl : '',
    GREEN_FUNCTION_APP_NAME: given['greenApp'] === 'true' ? `func-${name}-g` : '',
    GREEN_FUNCTION_APP_URL: given['greenApp'] === 'true' ? appUrl : '',
    API_CLIENT_ID: 'api',
    SQL_SERVER_NAME: `sql-${name}`,
    DB_SERVER: `sql-${name}.example.org`,
    DB_NAME: 'records',
    DB_CUSTOMIZATION_NAME: 'customization',
    RUNTIME_IDENTITY_NAME: `id-${name}`,
    RUNTIME_IDENTITY_CLIENT_ID: '12345678-9abc-def0-1122-334455667788',
    SERVICE_API_USERNAME: 'service',
    OBJECT_TYPES: 'deeds=4',
    OBJECT_METADATA: 'deeds',
    CORS_ORIGINS: ['*'],
    CALENDAR_BASE_PATH: 'tribe/events/v1',
    CALENDAR_PLACE: 'https://stdata.table.core.windows.net/calendar/default',
    BACKUP_ACCOUNT_URL: 'https://stbackup.table.core.windows.net/',
    PICTURES_PLACE: 'https://stdata.blob.core.windows.net/pictures/default',
    BACKUP_BLOB_URL: 'https://stbackup.blob.core.windows.net/',
    ROLE_ASSIGNMENTS_CREATED: true,
    ROLE_ASSIGNMENTS: [],
  });

  const connect = (): Connect => async (database, _token, work) => {
    if (!current().databases.has(database)) throw new Error(`Cannot open database "${database}".`);
    await work(async (statement) => void statements.push(`${database}: ${statement}`));
  };

  return {
    calls: () => [...calls],
    statements,
    setMonth(first) {
      month = first;
    },
    async run(line) {
      const [command = '', ...words] = shellWords(line);
      const output: string[] = [];
      const how = { environment: {}, show: false, minutes: 1, signal: undefined };
      if (command !== 'npm' || words[1] !== 'deploy')
        return execute(command, words, how).then(
          (text) => ({ code: 0, output: text }),
          (error: ToolFailure) => ({ code: 1, output: `${error.message} ${error.output ?? ''}` }),
        );
      const code = await deploy([...words.slice(3), '--wait', '0'], {
        environment,
        say: (text) => output.push(text),
        complain: (text) => output.push(text),
        execute,
        connect,
        today: () => new Date(`${month}T00:00:00Z`),
        signal: new AbortController().signal,
        folder: join(folder, 'deployments'),
        packageFolder: folder,
      });
      return { code, output: output.join('\n') };
    },
  };
}

const newSubscription = (): Subscription => ({
  deployments: new Map(),
  groups: new Set(),
  budgets: new Map(),
  databases: new Set(),
  locks: new Set(),
});

/** Options of commands of the Azure CLI, as far as our documents use them (https://learn.microsoft.com/cli/azure/reference-index). */
const documented: Readonly<Record<string, readonly string[]>> = {
  login: [],
  'account set': ['subscription'],
  'bicep upgrade': [],
  'storage entity query': ['account-name', 'auth-mode', 'table-name', 'query', 'output'],
  'storage entity delete': [],
  'keyvault secret set': ['vault-name', 'name', 'file'],
  'provider register': ['namespace', 'wait'],
  'sql server firewall-rule list': ['resource-group', 'server', 'query', 'output'],
  'sql db restore': ['resource-group', 'server', 'name', 'dest-name', 'time'],
  'sql db rename': ['resource-group', 'server', 'name', 'new-name'],
  'functionapp list-flexconsumption-locations': ['zone-redundant', 'query', 'output'],
  'functionapp delete': ['resource-group', 'name'],
  'apim delete': ['resource-group', 'name', 'yes'],
  'consumption budget delete': ['resource-group-name', 'budget-name'],
  'resource list': ['resource-group', 'output'],
  'functionapp keys set': [],
  'functionapp config appsettings delete': [],
  'apim deletedservice list': ['query', 'output'],
  'apim deletedservice purge': ['service-name', 'location'],
  'ad app create': [],
  'ad app list': ['display-name', 'query', 'output'],
  'ad app delete': ['id'],
  'ad app credential reset': ['id', 'display-name', 'end-date', 'append'],
  'ad app credential delete': ['id', 'key-id'],
  'ad sp create': [],
};

const optionsOf =
  (words: readonly string[]) =>
  (name: string): string =>
    words.includes(`--${name}`) ? (words[words.indexOf(`--${name}`) + 1] ?? '') : '';
