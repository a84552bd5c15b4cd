import { guards } from '../../deploy/guards.ts';
import { difference, type Finding, type Project } from '../model.ts';
import { type Plan, ToolMissing } from '../plan/plan.ts';
import { refusedSets, variableValues } from '../plan/sets.ts';

type Values = Parameters<(typeof guards)[number]['refuses']>[0];

/** Both templates refuse what infra/deploy/guards.ts refuses, in the same words, for people who deploy without the script: each is run with values to refuse. */
export function refusals(project: Project): Finding[] {
  const { files, profiles, plans } = project;
  const ran = plans.filter(({ name }) => name in refusedSets);
  return [
    ...ran.flatMap(({ name, ofStack }) => {
      const set = refusedSets[name];
      const due = set ? refusedBy(variableValues(set, profiles)) : [];
      return Object.entries(ofStack).flatMap(([stack, plan]) => {
        if (plan instanceof ToolMissing) return [];
        const [missing, surplus] = difference(due, said(plan));
        return [
          ...missing.map((message) => `${name}: does not refuse: ${message}`),
          ...surplus.map((message) => `${name}: refuses what is allowed: ${message}`),
        ].map((message) => ({ file: `infra/${stack}`, message }));
      });
    }),
    ...unproven(profiles, ran.length),
    ...numbers(files),
    ...refusedProfiles(profiles),
  ];
}

/** The beginning of each message; the script adds numbers to some. */
const beginning = ({ message }: (typeof guards)[number]) =>
  message({})
    .replace(/ is NaN.*/, '')
    .slice(0, 60);

const refusedBy = (values: Readonly<Record<string, unknown>>) =>
  guards
    .filter(
      ({ production, refuses }) =>
        (!production || values['production'] === true) && refuses(values as Values),
    )
    .map(beginning);

/** The refusals in what a stack says of its plan. */
const said = (plan: Plan | Error) =>
  plan instanceof Error ? guards.map(beginning).filter((message) => plan.message.includes(message)) : [];

/** Every refusal is met by one of the sets, where all of them were planned, and each set is refused for something. */
function unproven(profiles: Project['profiles'], count: number): Finding[] {
  if (count < Object.keys(refusedSets).length) return [];
  const met = Object.values(refusedSets).flatMap((set) => refusedBy(variableValues(set, profiles)));
  const [missing] = difference(guards.map(beginning), met);
  const allowed = Object.entries(refusedSets).filter(
    ([, set]) => refusedBy(variableValues(set, profiles)).length === 0,
  );
  return [
    ...missing.map((message) => ({
      file: 'infra/check/plan/sets.ts',
      message: `has no values that are refused because: ${message}`,
    })),
    ...allowed.map(([name]) => ({ file: 'infra/deploy/guards.ts', message: `nothing refuses ${name}` })),
  ];
}

/** How each template reads the connections that databases serve, which infra/deploy/guards.ts reads too. */
const readings = {
  'infra/bicep/main.bicep': /loadJsonContent\('\.\.\/concurrency\.json'\)\.databaseWorkers/,
  'infra/terraform/main.tf':
    /jsondecode\(file\("\$\{path\.module\}\/\.\.\/concurrency\.json"\)\)\.databaseWorkers/,
};

function numbers(texts: Project['files']): Finding[] {
  const workers: Record<string, number> = JSON.parse(texts.get(concurrency) ?? '{}').databaseWorkers ?? {};
  return [
    ...Object.entries(readings).flatMap(([file, reading]) =>
      !texts.has(file) || reading.test(texts.get(file) ?? '')
        ? []
        : [{ file, message: `databases serve other numbers of connections than in ${concurrency}` }],
    ),
    ...Object.entries(workers)
      .filter(([size, count]) => count !== workersOf(size))
      .map(([size, count]) => ({
        file: concurrency,
        message: `a database of the size ${size} works on ${workersOf(size)} requests at once, not on ${count}`,
      })),
  ];
}

const concurrency = 'infra/concurrency.json';

/** Azure's limits of concurrent workers: 75 for each vCore of a serverless database, 100 of a provisioned one; a number for each size in DTU. */
function workersOf(size: string): number {
  const cores = Number(/^GP.*_(\d+)$/.exec(size)?.[1]);
  if (size.startsWith('GP_S_')) return 75 * cores;
  return size.startsWith('GP_')
    ? 100 * cores
    : ({ Basic: 30, S0: 60, S1: 90, S2: 120 }[size as 'S0'] ?? Number.NaN);
}

/** No profile is one that is refused once people have given what they must. */
function refusedProfiles(profiles: Project['profiles']): Finding[] {
  return Object.entries(profiles).flatMap(([name, values]) =>
    refusedBy({ ...values, alert_emails: ['operators@example.org'] }).map((message) => ({
      file: `infra/profiles/${name}.tfvars.json`,
      message,
    })),
  );
}
