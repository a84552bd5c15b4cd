import { steps } from '../../deploy/steps.ts';
import type { Finding, Project } from '../model.ts';
import { parseYaml } from '../yaml.ts';

const file = 'azure.yaml';
/** After which of azd's commands schema, users and code must follow. */
const hooks = ['postprovision', 'postdeploy'];

interface Hook {
  readonly windows?: { readonly shell?: string; readonly run?: string; readonly continueOnError?: boolean };
  readonly posix?: { readonly shell?: string; readonly run?: string; readonly continueOnError?: boolean };
}
interface AzureYaml {
  readonly name?: string;
  readonly infra?: { readonly provider?: string; readonly path?: string; readonly module?: string };
  readonly hooks?: Readonly<Record<string, Hook>>;
  readonly services?: unknown;
}

/** azd finds the template and its parameters, and every way through it ends with schema, users and code. */
export function azureYaml({ files }: Project): Finding[] {
  return check(files).map((message) => ({ file, message }));
}

function check(files: ReadonlyMap<string, string>): string[] {
  let content: AzureYaml;
  try {
    content = (parseYaml(files.get(file) ?? '') ?? {}) as AzureYaml;
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  const { provider, path = '', module = '' } = content.infra ?? {};
  const unknown = Object.keys(content.hooks ?? {}).filter((name) => !hooks.includes(name));
  return [
    ...(provider === 'bicep' ? [] : [`the provider is ${provider}; it must be bicep`]),
    ...['bicep', 'bicepparam']
      .filter((end) => !files.has(`${path}/${module}.${end}`))
      .map((end) => `there is no ${path}/${module}.${end}`),
    ...(content.services === undefined ? [] : ['has services: azd would push a package of its own']),
    ...(content.name === 'records-and-calendar' ? [] : ['has another name']),
    ...unknown.map((name) => `has a hook ${name} that nothing is known of`),
    ...hooks.flatMap((name) => checkHook(name, content.hooks?.[name])),
  ];
}

function checkHook(name: string, hook: Hook | undefined): string[] {
  const shells = { windows: 'pwsh', posix: 'sh' } as const;
  return Object.entries(shells).flatMap(([system, shell]) => {
    const item = hook?.[system as keyof typeof shells];
    const where = `the hook ${name} on ${system}`;
    const step = /^npm run deploy -- (\w+) --stack azd --yes$/.exec(item?.run ?? '')?.[1];
    if (!item) return [`${where} is missing`];
    return [
      ...(item.shell === shell ? [] : [`${where} has the shell ${item.shell}`]),
      ...(step === 'finish' && step in steps
        ? []
        : [`${where} runs "${item.run}"; it must finish the deployment`]),
      ...(item.continueOnError ? [`${where} goes on after a failure`] : []),
    ];
  });
}
