import { databaseWorkers, guards } from '../../deploy/guards.ts';
import { type Finding, type Project, snakeCase } from '../model.ts';

/** What is refused, by its message, with the names that its condition is about. */
type Refusals = ReadonlyMap<string, string>;

/** Both templates refuse what infra/deploy/guards.ts refuses, by the same values, for people who deploy without the script. */
export function refusals({ files: texts, profiles }: Project): Finding[] {
  const files = ['infra/bicep/main.bicep', 'infra/terraform/outputs.tf'] as const;
  const bicep = inBicep(texts.get(files[0]));
  const terraform = inTerraform(texts.get(files[1]));
  const missing = [bicep, terraform].flatMap((found, at) =>
    guards
      .map(({ message }) => beginning(message({})))
      .filter((wanted) => ![...found.keys()].some((message) => message.startsWith(wanted)))
      .map((message) => ({ file: files[at] ?? '', message: `does not refuse: ${message}` })),
  );
  const different = [...bicep].flatMap(([message, names]) => {
    const twin = terraform.get(message) ?? names;
    return twin === names
      ? []
      : [{ file: files[1], message: `"${message}" is refused by ${twin}; in Bicep by ${names}` }];
  });
  return [...missing, ...different, ...numbers(texts), ...refusedProfiles(profiles)];
}

/** The numbers behind the refusals are those of infra/deploy/guards.ts in both templates. */
function numbers(texts: Project['files']): Finding[] {
  const due = JSON.stringify(databaseWorkers);
  return ['infra/bicep/main.bicep', 'infra/terraform/main.tf'].flatMap((file) => {
    const text = texts.get(file) ?? '';
    const [, table = ''] = /\bdatabase_?[wW]orkers = \{([\s\S]*?)\}/.exec(text) ?? [];
    const found = [...table.matchAll(/(\w+)\s*[:=] (\d+)/g)].map(([, name, count]) => [name, Number(count)]);
    const [, connections = ''] = /^(?:var)?\s*connections\s*= (.*)$/m.exec(text) ?? [];
    const names = namesOf(connections);
    return [
      ...(JSON.stringify(Object.fromEntries(found)) === due
        ? []
        : [{ file, message: `databases serve other numbers of connections than in infra/deploy/guards.ts` }]),
      ...(names === '1, 2, database_pool_max, green_app, maximum_instance_count'
        ? []
        : [{ file, message: `connections are counted from ${names}` }]),
    ];
  });
}

/** No profile is one that is refused once people have given what they must. */
function refusedProfiles(profiles: Project['profiles']): Finding[] {
  return Object.entries(profiles).flatMap(([name, values]) => {
    const given = { ...values, alert_emails: ['operators@example.org'] } as Parameters<
      (typeof guards)[number]['refuses']
    >[0];
    return guards
      .filter(({ production, refuses }) => (!production || values['production'] === true) && refuses(given))
      .map(({ message }) => ({ file: `infra/profiles/${name}.tfvars.json`, message: message(given) }));
  });
}

/** The beginning of each message; the script adds numbers to some. */
const beginning = (message: string) => message.replace(/ is NaN.*/, '').slice(0, 60);

function inBicep(text = ''): Refusals {
  const lines = text.matchAll(/^ {4}(.+) \? (?:'' : '(.+)'|'(.+)' : '')$/gm);
  return new Map(
    [...lines].map(([, condition = '', whenFalse, whenTrue]) => [
      whenFalse ?? whenTrue ?? '',
      namesOf(condition),
    ]),
  );
}

function inTerraform(text = ''): Refusals {
  const blocks = text.matchAll(/precondition \{\s+condition\s*= (.*)\n\s*error_message\s*= "(.*)"/g);
  return new Map([...blocks].map(([, condition = '', message = '']) => [message, namesOf(condition)]));
}

/** Parameters and variables that have these names in one stack only. */
const same: Readonly<Record<string, readonly string[]>> = {
  brings_subnets: ['existing_subnet_ids'],
  runner_enabled: ['runner'],
  publisher_email: ['gateway_publisher_email', 'alert_emails'],
};
const words = 'empty contains items length keys lower starts_with startswith to_lower var local'.split(' ');

/** The names and numbers in a condition, each once, in order. */
function namesOf(condition: string): string {
  const plain = condition.replaceAll(/'[^']*'|"[^"]*"/g, '');
  const names = [...plain.matchAll(/[A-Za-z_]\w*|\b\d+\b/g)].map(([name]) => snakeCase(name));
  const missing = names
    .filter((name) => name !== '0' && !words.includes(name))
    .flatMap((name) => same[name] ?? [name]);
  return [...new Set(missing)].sort().join(', ');
}
