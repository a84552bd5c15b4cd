import flex from '../../facts/flex-consumption.json' with { type: 'json' };
import notForAzure from '../../facts/not-for-azure.json' with { type: 'json' };
import { type Finding, isObject, type Project, type Stack, type Value } from '../model.ts';
import { difference } from './walk.ts';

/** Both stacks set every variable of shared/config/variables.ts, but those that are not for Azure, and nothing else but the platform's own. */
export function settings({ bicep, terraform, settingNames, files }: Project): Finding[] {
  const wanted = [...settingNames.filter((name) => !(name in notForAzure)), ...flex.platformSettings];
  const gone = Object.keys(notForAzure).filter((name) => !settingNames.includes(name));
  return [
    ...[bicep, terraform].flatMap((stack) => compare(stack, wanted)),
    ...routePrefix(files),
    ...timeout(files),
    ...gone.map((name) => ({
      file: 'infra/facts/not-for-azure.json',
      message: `${name} is no longer a setting`,
    })),
  ];
}

function compare(stack: Stack, wanted: string[]): Finding[] {
  const [missing, surplus] = difference(wanted, Object.keys(appSettings(stack)));
  const file = fileOf(stack);
  return [
    ...missing.map((name) => ({ file, message: `does not set ${name}` })),
    ...surplus.map((name) => ({ file, message: `sets ${name}, which nothing reads` })),
  ];
}

/** Every address is the app's: the base path is a setting of it, and the host puts nothing before its paths. */
function routePrefix(files: ReadonlyMap<string, string>): Finding[] {
  const host = JSON.parse(files.get('host.json') ?? '{}') as {
    extensions?: { http?: { routePrefix?: string } };
  };
  const { routePrefix: prefix = 'api' } = host.extensions?.http ?? {};
  return prefix === ''
    ? []
    : [
        {
          file: 'host.json',
          message: `has the route prefix ${prefix}; SERVICE_API_BASE_URL alone names the base path`,
        },
      ];
}

/** A call has 10 seconds; one that outlives them by far hangs, and its worker is replaced: not after the platform's 30 minutes. */
function timeout(files: ReadonlyMap<string, string>): Finding[] {
  const { functionTimeout = '' } = JSON.parse(files.get('host.json') ?? '{}') as { functionTimeout?: string };
  const [hours = 0, minutes = 0, seconds = 0] = functionTimeout.split(':').map(Number);
  const all = hours * 3600 + minutes * 60 + seconds;
  if (functionTimeout !== '' && all >= 30 && all <= 120) return [];
  return [
    {
      file: 'host.json',
      message: `functionTimeout is ${functionTimeout || 'missing'}; it must be 30 seconds to 2 minutes`,
    },
  ];
}

/** Where a stack writes its app settings down: modules and their variables. */
const places = [
  ['app', 'platform_settings'],
  ['main', 'service_settings'],
  ['main', 'records_settings'],
  ['main', 'calendar_settings'],
] as const;

/** The app settings of a stack by name, of all apps together. */
export function appSettings({ modules }: Stack): Record<string, Value> {
  const found = places.map(([module, variable]) => modules[module]?.locals[variable]);
  return Object.assign({}, ...found.filter(isObject));
}

const fileOf = (stack: Stack) => stack.modules['main']?.file ?? `infra/${stack.name}`;
