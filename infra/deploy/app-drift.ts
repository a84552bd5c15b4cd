/**
 * What somebody has changed by hand of the apps. Azure gives neither the settings nor the configuration back with an app, so that neither
 * what-if nor a refresh of Terraform sees a change of them (Azure/terraform-provider-azapi issue 1167; what-if also leaves the whole
 * module out). They are read here where they are, and compared with what the last deployment says that it has set.
 */

import noise from '../drift-noise.json' with { type: 'json' };
import { type Context, ToolFailure } from './context.ts';
import { needOutput, type Outputs } from './outputs.ts';

type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Value[]
  | { readonly [name: string]: Value };

/** An app in the output APP_CONFIGURATION: what the templates give it, with its settings in properties.siteConfig. */
interface DeclaredApp {
  readonly name: string;
  readonly identity: Value;
  readonly properties: { readonly [name: string]: Value };
}

/** An app as Azure has it, in the same form. */
interface FoundApp {
  readonly settings: Readonly<Record<string, string>>;
  readonly whole: { readonly [name: string]: Value };
}

/**
 * Returns a line for each difference; none where nothing was deployed. Settings are named without their values, since one that was added by
 * hand may be a secret.
 */
export async function changesByHand(context: Context, outputs: Outputs): Promise<string[]> {
  if (outputs.size === 0) return [];
  const declared = declaredApps(context, outputs);
  if (declared === undefined)
    return [
      'The settings of the apps cannot be compared: the last deployment was one of an earlier version. Run provision once.',
    ];
  const changes: string[] = [];
  for (const app of declared) {
    const found = await read(context, needOutput(outputs, 'AZURE_RESOURCE_GROUP'), app.name);
    if (context.options.dryRun) continue;
    const lines =
      found === undefined ? ['is gone'] : [...ofSettings(app, found), ...ofProperties(app, found)];
    changes.push(...lines.map((line) => `${app.name}: ${line}`));
  }
  return changes;
}

function declaredApps({ options }: Context, outputs: Outputs): readonly DeclaredApp[] | undefined {
  if (options.dryRun)
    return [{ name: needOutput(outputs, 'FUNCTION_APP_NAME'), identity: null, properties: {} }];
  const list = outputs.get('APP_CONFIGURATION');
  return Array.isArray(list) && list.every(({ identity }) => identity !== undefined) ? list : undefined;
}

/** Reads an app, whose parts stand at several addresses. Undefined: there is none. */
async function read({ run }: Context, group: string, name: string): Promise<FoundApp | undefined> {
  const ask = async (path: string, method = 'get') => {
    const url = `/subscriptions/{subscriptionId}/resourceGroups/${group}/providers/Microsoft.Web/sites/${name}${path}?api-version=2025-03-01`;
    const words = ['rest', '--method', method, '--url', url, '--output', 'json'];
    return JSON.parse((await run('az', words, { quiet: true })).trim() || '{}');
  };
  try {
    const site = await ask('');
    const configuration = await ask('/config/web');
    const settings = await ask('/config/appsettings/list', 'post');
    const signIn = await ask('/config/authsettingsV2');
    const credentials: { name: string; properties: Value }[] =
      (await ask('/basicPublishingCredentialsPolicies')).value ?? [];
    return {
      settings: settings.properties ?? {},
      whole: {
        identity: comparable(site.identity),
        properties: { ...site.properties, siteConfig: configuration.properties },
        authsettingsV2: signIn.properties,
        basicPublishingCredentialsPolicies: Object.fromEntries(
          credentials.map((policy) => [policy.name, policy.properties]),
        ),
      },
    };
  } catch (error) {
    if (error instanceof ToolFailure && /\bResource(?:Group)?NotFound\b/.test(error.complaint))
      return undefined;
    throw error;
  }
}

function ofSettings({ properties }: DeclaredApp, { settings }: FoundApp): string[] {
  const list = at({ properties }, 'properties.siteConfig.appSettings') as { name: string; value: string }[];
  const declared = new Map(list.map(({ name, value }) => [name, value]));
  const ofPlatform = noise.settings.map(({ name }) => name);
  const added = Object.keys(settings).filter((name) => !declared.has(name) && !ofPlatform.includes(name));
  return [
    ...[...declared].flatMap(([name, value]) => {
      if (settings[name] === undefined) return [`the setting ${name} is missing`];
      return settings[name] === value ? [] : [`the setting ${name} differs`];
    }),
    ...added.map((name) => `the setting ${name} was added by hand`),
  ];
}

function ofProperties({ identity, properties }: DeclaredApp, { whole }: FoundApp): string[] {
  const defaults = new Map<string, Value>(noise.defaults.map(({ path, value }) => [path, value]));
  const declared = new Map([
    ...defaults,
    ...leaves(comparable(identity), 'identity'),
    ...leaves(properties, 'properties'),
  ]);
  declared.delete('properties.siteConfig.appSettings');
  // Of siteConfig alone the noise is that of what-if.
  const passedOver = noise.noise.filter(
    ({ type, path }) => type === 'Microsoft.Web/sites' && path !== 'properties.siteConfig',
  );
  const compared = [...declared].filter(([path]) => !passedOver.some((item) => isWithin(path, item.path)));
  return compared.flatMap(([path, wanted]) => {
    const given = at(whole, path);
    const found = isNothing(given) ? defaults.get(path) : given;
    return isSame(wanted, found)
      ? []
      : [`${path} is ${JSON.stringify(found ?? null)}; the templates say ${JSON.stringify(wanted ?? null)}`];
  });
}

/** The kinds of identities that an app has, and the ids of those that are user-assigned: as Azure writes them, they are names in an object. */
function comparable(identity: Value): Value {
  const ids = at(identity, 'userAssignedIdentities');
  return {
    type: at(identity, 'type'),
    userAssignedIdentities: Object.keys(isObject(ids) ? ids : {}).sort((one, other) =>
      one.toLowerCase() < other.toLowerCase() ? -1 : 1,
    ),
  };
}

/** Each value that is no object, with its path; a list is one value. */
function* leaves(value: Value, path: string): Generator<[path: string, value: Value]> {
  if (!isObject(value)) yield [path, value];
  else for (const [name, inner] of Object.entries(value)) yield* leaves(inner, `${path}.${name}`);
}

const at = (value: Value, path: string): Value =>
  path.split('.').reduce<Value>((here, step) => (isObject(here) ? here[step] : undefined), value);

const isObject = (value: Value): value is { readonly [name: string]: Value } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNothing = (value: Value) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether Azure has what was declared. It gives more about the elements of a list, ids in other cases, and nulls for what is empty. */
function isSame(wanted: Value, found: Value): boolean {
  if (Array.isArray(wanted) || Array.isArray(found)) {
    const [due, there] = [list(wanted), list(found)];
    return due.length === there.length && due.every((item, index) => isSame(item, there[index]));
  }
  if (isObject(wanted))
    return Object.entries(wanted).every(([name, inner]) => isSame(inner, at(found, name)));
  if (isNothing(wanted)) return isNothing(found);
  if (typeof wanted === 'string' && typeof found === 'string' && wanted.startsWith('/subscriptions/'))
    return wanted.toLowerCase() === found.toLowerCase();
  return wanted === found;
}

/** A list without the rule that the platform puts behind restrictions of access: it says what their default action, which is a value of its own, says. */
const list = (value: Value): readonly Value[] =>
  (Array.isArray(value) ? value : []).filter(
    (item) => !(isObject(item) && item['ipAddress'] === 'Any' && item['priority'] === 2_147_483_647),
  );

/** Checks whether a path of a property is another one, or lies below it. */
export const isWithin = (path: string, outer: string): boolean => `${path}.`.startsWith(`${outer}.`);
