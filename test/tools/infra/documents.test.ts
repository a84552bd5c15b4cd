import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import host from '../../../host.json' with { type: 'json' };
import concurrency from '../../../infra/concurrency.json' with { type: 'json' };
import { type StackName, stackNames } from '../../../infra/deploy/environments.ts';
import { profileValues } from '../../../infra/deploy/values.ts';
import notForAzure from '../../../infra/facts/not-for-azure.json' with { type: 'json' };
import roles from '../../../infra/facts/roles.json' with { type: 'json' };
import alerts from '../../../infra/queries/alerts.json' with { type: 'json' };
import { variables } from '../../../shared/config/variables.ts';
import { errorCodes } from '../../../shared/errors/codes.ts';

const root = join(import.meta.dirname, '../../..');
/** What `npm run keep-stack` has taken out is named until the pages are written anew. */
const isOfStackTakenOut = (file: string) =>
  /^infra\/(?:bicep|terraform)\//.test(file) && !stackNames.some((name) => file.startsWith(`infra/${name}/`));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const pages = ['deploy', 'run', 'restore', 'reference'].map((page) => `docs/${page}.md`);
/** An item of a list that begins with the name of a stack is about that alone. */
const ofStackTakenOut = (item: string) =>
  !stackNames.some((name) => item.toLowerCase().startsWith(`- **${name}**`));
const operations = pages
  .map(read)
  .join('\n')
  .replaceAll(/^- \*\*(?:Bicep|Terraform)\*\*:.*\n(?: {2}.*\n)*/gm, (item) =>
    ofStackTakenOut(item) ? '' : item,
  );

/** Dollars a month of an idle environment, by the rows of the table, from the values of its profile and the resources that were agreed. */
function costsOf(profile: string): Map<string, string> {
  const values = profileValues(profile);
  const number = (name: string) => Number(values[name]);
  const is = (name: string) => values[name] === true;
  const plan = read(`infra/check/plans/${profile}.txt`);
  const count = (type: string) => [...plan.matchAll(new RegExp(`^${type}/[^/\\n]+$`, 'gm'))].length;
  const isPaused =
    String(values['database_sku']).startsWith('GP_S_') && number('database_auto_pause_minutes') > 0;
  const apps = is('calendar_app') ? 2 : 1;
  const alerts = (each: number) =>
    count('Insights/metricAlerts') * 0.1 + count('Insights/scheduledQueryRules') * each;
  const tests = count('Insights/webtests') * 3 * (60 / number('availability_test_minutes')) * 730;
  const endpoints = count('Network/privateEndpoints');
  const zones = count('Network/privateDnsZones');
  const gateway = values['gateway_sku'] === 'None' ? [0, 0] : [700, 735];
  const fixed: Readonly<Record<string, number>> = {
    'Apps, on demand': 0,
    'Apps, always ready':
      apps * number('always_ready_instances') * (number('instance_memory_mb') / 1024) * 2_628_000 * 0.000004,
    Databases: isPaused
      ? 2 * number('database_max_size_gb') * 0.115
      : 2 * { S0: 15 }[String(values['database_sku']) as 'S0'],
    Storage: 1,
    'Availability tests': tests * 0.0006,
    'Private networking': is('private_networking') ? endpoints * 7.3 + zones * 0.5 : 0,
    Logs: 0,
  };
  const sum = (more: readonly number[]) =>
    [...Object.values(fixed), ...more].reduce((one, other) => one + other);
  const range = (low: number, high: number) => `${Math.round(low)} to ${Math.round(high)}`;
  const [low = 0, high = 0] = gateway;
  const [few, many] = [Math.round(alerts(0.5)), Math.round(alerts(1.5))];
  return new Map([
    ...Object.entries(fixed).map(
      ([item, cost]) =>
        [item, cost === Math.round(cost) && cost < 2 ? String(cost) : cost.toFixed(2)] as const,
    ),
    ['Alerts', `${few} to ${many}`],
    ['Gateway', high === 0 ? '0' : range(low, high)],
    ['Sum, about', range(sum([few, low]), sum([many, high]))],
    ['Budget (`monthlyBudget`)', number('monthly_budget').toLocaleString('en')],
  ]);
}

/** The cells of every table row whose first cell is a code word. */
const rows = new Map(
  [...operations.matchAll(/^\| *`([\w-]+)` *\|(.*)\|$/gm)].map(([, name = '', rest = '']) => [
    name,
    rest.split('|').map((cell) => cell.trim()),
  ]),
);

/** Codes of errors that an operator mends: of what is misconfigured and what is unavailable. */
const codesForOperators = Object.entries(errorCodes)
  .filter(([, { kind }]) => kind === 'misconfigured' || kind === 'unavailable')
  .map(([code]) => code)
  .concat('base-url-mismatch', 'too-many-passwords');

/** Names of settings, outputs and variables have several words. */
const longName = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
/** Those that others read: Terraform, the Functions host, the libraries of OpenTelemetry, SQL Server. */
const ofOthers = /^(?:ARM_SUBSCRIPTION_ID|FUNCTIONS_\w+|OTEL_\w+|XACT_ABORT)$/;
/** Where each stack names its outputs, and the variables that it reads. */
const namesOf: Readonly<Record<StackName, readonly string[]>> = {
  bicep: ['infra/bicep/main.bicep', 'infra/bicep/main.bicepparam'],
  terraform: ['infra/terraform/outputs.tf'],
};
/** How each stack writes the names of resources, and those of containers of blobs. */
const templatesOf = {
  bicep: {
    files: 'infra/bicep/**/*.bicep',
    name: /\bname: '([^'\n]+)'/g,
    container: /\/containers@\S+ = \{\n\s+parent: \w+\n\s+name: '(\w+)'/g,
  },
  terraform: {
    files: 'infra/terraform/{*,modules/*/*}.tf',
    name: /\bname += "([^"\n]+)"/g,
    container: /^resource "azurerm_storage_container" "\w+" \{\n\s+name += "(\w+)"/gm,
  },
};
/** A role that people give and the templates do not. */
const rolesOfPeople = ['Key Vault Certificate User'];

describe('the pages for operators', () => {
  test('has every setting, and why it is not set in Azure', () => {
    expect(Object.keys(variables).filter((name) => !rows.has(name))).toEqual([]);
    const reasons = Object.entries(notForAzure).map(([name, reason]) => [name, `not set: ${reason}`]);
    expect(reasons.map(([name = '']) => [name, rows.get(name)?.[1]])).toEqual(reasons);
  });

  test('have the costs of what the profiles ask for', () => {
    const [, table = ''] =
      /^\| Item \| dev \| small \| prod \|.*\n\|[-|]*\n((?:\|.*\n)*)/m.exec(read('docs/reference.md')) ?? [];
    const cells = table
      .trim()
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const items = new Map(
      cells.map(([, item = '', dev = '', small = '', prod = '']) => [item, [dev, small, prod]]),
    );
    const computed = ['dev', 'small', 'prod'].map(costsOf);
    const rowOf = (item: string) => computed.map((costs) => costs.get(item));
    for (const item of computed[0]?.keys() ?? [])
      expect([item, items.get(item)]).toEqual([item, rowOf(item)]);
    const inDeploy = [...read('docs/deploy.md').matchAll(/^\| `(?:dev|small|prod)` \|.*\| ([\d to]+) \|$/gm)];
    expect(inDeploy.map(([, sum]) => sum)).toEqual(rowOf('Sum, about'));
    const [, small, prod] = rowOf('Private networking').map((cost) => Math.round(Number(cost)));
    expect(read('docs/decisions/public-judges.md')).toContain(
      `A private network costs some ${small} to ${prod} a month`,
    );
  });

  test('has every role that the templates assign, with its id', () => {
    const [, table = ''] =
      /^\| Who \| Where \|.*\n\|[-|]*\n((?:\|.*\n)*)/m.exec(read('docs/reference.md')) ?? [];
    const assigned = ['prod', 'small']
      .flatMap((plan) => [
        ...read(`infra/check/plans/${plan}.txt`).matchAll(/roleAssignments\/([A-Z][\w ]+?) </g),
      ])
      .map(([, role = '']) => role);
    expect(assigned.length).toBeGreaterThan(10);
    const ids: Readonly<Record<string, string>> = roles.roles;
    expect([...new Set(assigned)].filter((role) => !table.includes(`${role} \`${ids[role]}\``))).toEqual([]);
  });

  test('has a recipe for every code that operators mend', () => {
    const isRecipe = (code: string) => rows.get(code)?.every((cell) => cell.length > 10);
    expect(codesForOperators.filter((code) => !isRecipe(code))).toEqual([]);
  });

  test('has a recipe for every refusal of the gateway', () => {
    const codes = [...read('infra/gateway/policy.xml').matchAll(/"code", "([\w-]+)"/g)].map(
      ([, code]) => code,
    );
    expect(codes.length).toBeGreaterThan(3);
    expect(codes.filter((code) => !rows.has(code ?? ''))).toEqual([]);
  });

  test('has a first step for every alert, and for none that there is not', () => {
    const [, table = ''] = /^\| Alert \|.*\n\|[-|]*\n((?:\|.*\n)*)/m.exec(read('docs/run.md')) ?? [];
    const named = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(
      ([, cell = '']) => cell.match(/[\w-]+/g) ?? [],
    );
    const all = [...alerts.metricAlerts, ...alerts.logAlerts].map(({ name }) => name);
    expect(named.sort()).toEqual([...all, 'health', 'calendar-health', 'service-health'].sort());
  });

  test('has the requests of each size of an instance, of which the host locally takes the most', () => {
    const table = [...read('docs/reference.md').matchAll(/^\| (512|2048|4096) \|(.*)\|$/gm)].map(
      ([, size = '', rest = '']) => {
        const cells = rest.split('|').map((cell) => cell.trim());
        return [size, Number(cells[0]), Number(cells[3])];
      },
    );
    const { requestsInFlight, scaleOutAt } = concurrency;
    const sizes = Object.keys(requestsInFlight) as (keyof typeof requestsInFlight)[];
    expect(table).toEqual(sizes.map((size) => [size, requestsInFlight[size], scaleOutAt[size]]));
    expect(host.extensions.http.maxOutstandingRequests).toBe(Math.max(...Object.values(requestsInFlight)));
  });

  test('name only settings, outputs and variables that there are', () => {
    const sources = [
      ...stackNames.flatMap((stack) => namesOf[stack]),
      ...globSync('.github/workflows/*.yml', { cwd: root }),
    ];
    const known = new Set([
      ...Object.keys(variables),
      ...sources.flatMap((file) => read(file).match(longName) ?? []),
    ]);
    const unknown = (operations.match(longName) ?? []).filter(
      (name) => !known.has(name) && !ofOthers.test(name),
    );
    expect(unknown).toEqual([]);
  });

  test.each(stackNames)('name only resources as the templates of %s name them', (stack) => {
    const { files, name: named, container } = templatesOf[stack];
    const templates = globSync(files, { cwd: root }).map(read).join('\n');
    const names = new Set(
      [...templates.matchAll(named)].map(([, name = '']) => name.replaceAll(/\$\{[^}]*\}/g, '*')),
    );
    const asked = [...operations.matchAll(/--budget-name (\S+)|\[\?name=='([^']+)'\]\.id/g)].map(
      ([, option, queried]) => (option ?? queried ?? '').replaceAll(/<[^>]*>/g, '*'),
    );
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.filter((name) => !names.has(name))).toEqual([]);
    const containers = [...templates.matchAll(container)].map(([, name]) => name);
    const shown = [...operations.matchAll(/--container-name (\S+)/g)].map(([, name]) => name);
    expect(shown.length).toBeGreaterThan(1);
    expect(shown.filter((name) => !containers.includes(name))).toEqual([]);
  });

  test('name only roles that there are', () => {
    const roleNames = [...operations.matchAll(/--role "([^"$]+)"/g)].map(([, name = '']) => name);
    const knownRoles = [...Object.keys(roles.roles), ...rolesOfPeople];
    expect(roleNames.filter((name) => !knownRoles.includes(name))).toEqual([]);
  });

  test('have only links and files that are there', () => {
    const slug = (heading: string) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(' ', '-');
    const headings = (file: string) =>
      [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slug(heading));
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([, path = '', anchor]) => {
        const target = path === '' ? page : join('docs', path);
        if (!existsSync(join(root, target))) return [`${page}: ${path}`];
        return anchor === undefined || headings(target).includes(anchor)
          ? []
          : [`${page}: ${path}#${anchor}`];
      }),
    );
    expect(broken).toEqual([]);
    const files = [...operations.matchAll(/\b(infra\/[\w./-]+\.\w+)/g)].map(([, file = '']) => file);
    // The files of environments are those of the reader.
    const ours = files.filter(
      (file) => !/^infra\/environments\/\w+\.json$/.test(file) && !isOfStackTakenOut(file),
    );
    expect(ours.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    if (stackNames.includes('terraform'))
      for (const [, module = '', type = '', symbol = ''] of operations.matchAll(
        /module\.(\w+)\.(\w+)\.(\w+)/g,
      ))
        expect(read(`infra/terraform/modules/${module}/main.tf`)).toContain(`resource "${type}" "${symbol}"`);
  });
});
