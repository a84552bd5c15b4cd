/** Terraform and azd as recorders with a state, over the same Azure. */

/** One call of a tool. */
export interface Call {
  readonly words: readonly string[];
  readonly text: string;
  readonly option: (name: string) => string;
  readonly variables: Readonly<Record<string, string>>;
  readonly fail: (output: string) => never;
}

/** What the tools change and read in Azure. */
export interface World {
  /** Makes an environment with a budget that starts on a day; '' for the current month. */
  readonly make: (name: string, start: string, fail: Call['fail']) => void;
  /** The first day of the budget that an environment has; '' without one. */
  readonly budgetOf: (name: string) => string;
  readonly outputsOf: (name: string) => Record<string, unknown>;
}

/** Creates a Terraform with a state for each workspace. */
export function recordedTerraform({ make, budgetOf, outputsOf }: World) {
  const workspaces = new Map<string, Record<string, unknown>>();
  let workspace = 'default';
  return function terraform({ text, words, fail }: Call): string | undefined {
    const [where = '', action = ''] = words[0]?.startsWith('-chdir=') ? words : ['', ...words];
    const folderName = where.replace('-chdir=', '');
    const key = `${folderName} ${workspace}`;
    if (text === 'version -json') return '{ "terraform_version": "1.11.4" }';
    if (action === 'workspace') {
      const name = words.at(-1) ?? '';
      if (text.includes('delete')) workspaces.delete(`${folderName} ${name}`);
      else workspace = name;
      return '';
    }
    if (action === 'apply') {
      const name = variableOf(words, 'environment_name');
      if (folderName.endsWith('entra')) return void workspaces.set(key, { API_CLIENT_ID: 'api' });
      // https://developer.hashicorp.com/terraform/language/values/variables
      for (const needed of [
        'api_client_id',
        'sql_administrator_login',
        'sql_administrator_object_id',
        'service_api_username',
      ])
        if (variableOf(words, needed) === '')
          fail(
            `Error: No value for required variable\n\nThe root module input variable "${needed}" is not set`,
          );
      // The provider ignores the first day later (lifecycle of the module budget).
      make(name, budgetOf(name), fail);
      return void workspaces.set(key, outputsOf(name));
    }
    if (action === 'output') return asOutputs(workspaces.get(key) ?? {});
    if (action === 'plan') return 'No changes. Your infrastructure matches the configuration.';
    if (action === 'state') return workspaces.has(key) ? 'azurerm_resource_group.main[0]' : '';
    return ['init', 'destroy'].includes(action) ? '' : fail(`Terraform has no command named "${action}".`);
  };
}

/** Creates an azd with its records of environments. */
export function recordedAzd({ make, outputsOf }: World) {
  const environments = new Map<string, Map<string, string>>();
  return function azd({ text, words, option, fail }: Call): string | undefined {
    const variables = () => environments.get(option('environment')) ?? new Map<string, string>();
    if (/^(auth login|version$)/.test(text)) return '';
    if (text.startsWith('env list'))
      return JSON.stringify([...environments.keys()].map((Name) => ({ Name })));
    if (text.startsWith('env new')) {
      // https://learn.microsoft.com/azure/developer/azure-developer-cli/reference#azd-env-new
      if (environments.has(words[2] ?? '')) return fail(`ERROR: environment '${words[2]}' already exists`);
      return void environments.set(words[2] ?? '', new Map([['AZURE_ENV_NAME', words[2] ?? '']]));
    }
    // https://learn.microsoft.com/azure/developer/azure-developer-cli/manage-environment-variables
    if (option('environment') !== '' && !environments.has(option('environment')))
      return fail(`ERROR: environment '${option('environment')}' does not exist`);
    if (text.startsWith('env set')) return void variables().set(words[2] ?? '', words[3] ?? '');
    if (text.startsWith('env get-values')) return JSON.stringify(Object.fromEntries(variables()));
    if (text.startsWith('provision')) {
      const name = option('environment');
      make(name, variables().get('BUDGET_START_DATE') ?? '', fail);
      for (const [key, value] of Object.entries(outputsOf(name))) variables().set(key, String(value));
      return '';
    }
    return /^(up|deploy|down|pipeline config)\b/.test(text)
      ? ''
      : fail(`ERROR: unknown command "${text}" for "azd"`);
  };
}

const variableOf = (words: readonly string[], name: string) =>
  words.find((word) => word.startsWith(`-var=${name}=`))?.slice(`-var=${name}=`.length) ?? '';

/** Outputs as Azure Resource Manager and Terraform print them. */
export const asOutputs = (outputs: Readonly<Record<string, unknown>>) =>
  JSON.stringify(Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, { value }])));
