import type { Finding, Project } from '../model.ts';
import { parseYaml } from '../yaml.ts';

/** What a workflow may do, and what it must do, in this order; actionlint knows the rest, where it is. */
interface Allowed {
  /** Rights besides reading the repository, as `permission` or, of its jobs alone, `job permission`. */
  readonly rights: string;
  readonly triggers: string;
  readonly must: readonly string[];
  /** Its last job runs where a variable of the repository says: inside of a private network. */
  readonly inside?: true;
}

const azure = { rights: 'id-token', triggers: 'workflow_dispatch' };

/** A workflow that is not named here is a finding. */
const allowed: Readonly<Record<string, Allowed>> = {
  ci: { rights: '', triggers: 'pull_request push', must: ['npm run check'] },
  release: {
    rights: 'job attestations, job contents, job id-token',
    triggers: 'push',
    must: ['npm run check', 'npm run package', 'gh release create'],
  },
  preview: {
    rights: 'id-token, pull-requests',
    triggers: 'pull_request',
    must: ['npm run check:infra', 'deploy -- preview', 'gh pr comment'],
  },
  provision: {
    ...azure,
    must: [
      'npm run check:infra',
      ...['preflight', 'preview', 'provision', 'migrate', 'accounts', 'users'].map(
        (step) => `deploy -- ${step}`,
      ),
    ],
    inside: true,
  },
  deploy: {
    ...azure,
    must: [
      'npm run check:infra',
      'npm run package',
      'deploy -- migrate',
      'deploy -- push',
      'deploy -- smoke',
    ],
    inside: true,
  },
  rollback: { ...azure, must: ['gh run download', 'deploy -- push', 'deploy -- smoke'], inside: true },
  drift: { ...azure, triggers: 'schedule workflow_dispatch', must: ['deploy -- drift'] },
  backup: { ...azure, triggers: 'schedule workflow_dispatch', must: ['deploy -- backup'], inside: true },
  'azure-dev': {
    ...azure,
    must: ['npm run check:infra', 'azd auth login', 'deploy -- provision', 'deploy -- finish'],
  },
};

interface Step {
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly [name: string]: unknown;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
  readonly if?: string;
}
interface Workflow {
  readonly on?: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly group?: string; readonly 'cancel-in-progress'?: boolean };
  readonly jobs?: Readonly<Record<string, Job>>;
}

const folder = '.github/workflows/';

/** Workflows have the rights that they need, do what they must in order, and deploy to the environment that was chosen. */
export function workflows({ files }: Project): Finding[] {
  const found = [...files].filter(([file]) => file.startsWith(folder));
  const missing = Object.keys(allowed).filter((name) => !files.has(`${folder}${name}.yml`));
  return [
    ...missing.map((name) => ({ file: folder, message: `lacks ${name}.yml` })),
    ...found.flatMap(([file, text]) =>
      faultsOf(file.slice(folder.length, -'.yml'.length), text).map((message) => ({ file, message })),
    ),
  ];
}

function faultsOf(name: string, text: string): string[] {
  const permitted = allowed[name];
  if (!permitted) return ['is not among the workflows that infra/check/rules/workflows.ts knows'];
  const workflow = parseYaml(text) as Workflow;
  const jobs = Object.values(workflow.jobs ?? {});
  const steps = jobs.flatMap((job) => job.steps ?? []);
  return [
    ...rights(workflow, jobs, permitted),
    ...order(permitted, steps),
    ...target(name, workflow, jobs, permitted),
    ...jobs
      .filter((job) => Number(job['timeout-minutes']) > 0 === false)
      .map(() => 'has a job without an end'),
    ...[...text.matchAll(/uses: *(\S+)(.*)$/gm)]
      .filter(([, action = '', comment = '']) => !/@[0-9a-f]{40}$/.test(action) || !/# v\d/.test(comment))
      .map(([, action]) => `${action} is not pinned by commit, with its version behind`),
    ...(/continue-on-error/.test(text) ? ['goes on after a failure'] : []),
    ...(/secrets\./.test(text) ? ['reads a secret; sign-in needs none'] : []),
  ];
}

/** What it may do, and what starts it. */
function rights(
  { permissions = {}, on = {} }: Workflow,
  jobs: readonly Job[],
  { rights, triggers }: Allowed,
): string[] {
  const writes = (given: Readonly<Record<string, string>> | undefined, prefix: string) =>
    Object.entries(given ?? {}).flatMap(([right, how]) => (how === 'write' ? [`${prefix}${right}`] : []));
  const found = [...writes(permissions, ''), ...jobs.flatMap((job) => writes(job.permissions, 'job '))];
  const granted = found.sort().join(', ');
  return [
    ...(granted === rights && 'contents' in permissions
      ? []
      : [`may write ${granted || 'nothing'}; must be ${rights || 'nothing'}`]),
    ...(Object.keys(on).sort().join(' ') === triggers
      ? []
      : [`is started by ${Object.keys(on)}; must be ${triggers}`]),
  ];
}

/** The commands that it must run are there, in order, after the sign-in, and none is left out. */
function order({ must, rights }: Allowed, steps: readonly Step[]): string[] {
  const runs = steps.map(({ run = '' }) => run);
  let from = 0;
  const missing = must.filter((command) => {
    const at = runs.findIndex((run, index) => index >= from && new RegExp(`${command}(?![\\w:-])`).test(run));
    if (at >= 0) from = at;
    return at === -1;
  });
  const signIn = steps.findIndex(({ uses }) => uses?.startsWith('azure/login@'));
  const first = runs.findIndex((run) => /deploy -- /.test(run));
  const ids = ['client-id', 'tenant-id', 'subscription-id'];
  const isWhole = (step: Step) =>
    ids.every((id) => step.with?.[id] === `\${{ vars.AZURE_${id.replace('-', '_').toUpperCase()} }}`);
  return [
    ...missing.map((command) => `must run "${command}", in this order: ${must.join(', ')}`),
    ...(rights.startsWith('id-token') && (signIn === -1 || first < signIn)
      ? ['deploys before it has signed in to Azure']
      : []),
    ...(steps.some((step) => step.uses?.startsWith('azure/login@') && !isWhole(step))
      ? ['does not say who signs in, and where']
      : []),
    ...steps
      .filter(
        ({ if: condition, run = '' }) =>
          condition !== undefined && !(condition === 'always()' && run.includes('gh pr comment')),
      )
      .map(({ if: condition }) => `leaves out a step where not ${condition}`),
    ...runs
      .filter((run) => run.includes('${{'))
      .map(() => 'writes an expression into a command, where its text becomes code'),
    ...steps
      .filter(
        ({ uses, with: given }) =>
          uses?.startsWith('actions/checkout@') && given?.['persist-credentials'] !== false,
      )
      .map(() => 'leaves credentials of the repository behind'),
  ];
}

/** It deploys to the environment that was chosen, whose rules guard it, alone, and never for a fork. */
function target(
  name: string,
  { concurrency }: Workflow,
  jobs: readonly Job[],
  { rights, inside }: Allowed,
): string[] {
  if (!rights.startsWith('id-token')) return [];
  const runner =
    /^\$\{\{ vars\[format\('RUNNER_\{0\}', inputs\.environment(?: \|\| 'prod')?\)\] \|\| 'ubuntu-24\.04' \}\}$/;
  const changes = !['preview', 'drift'].includes(name);
  return [
    ...(changes && (!concurrency?.group || concurrency['cancel-in-progress'] !== false)
      ? ['two runs of it may meet, or one ends another']
      : []),
    ...(inside && !runner.test(String(jobs.at(-1)?.['runs-on']))
      ? ['its last job cannot run inside of a private network (runs-on)']
      : []),
    ...jobs.flatMap((job) => {
      const chosen =
        /\$\{\{ ((?:inputs|matrix)\.environment|vars\.PREVIEW_ENVIRONMENT|vars\.AZURE_ENV_NAME)\b/;
      const variables = job.env ?? {};
      const [, source = ''] =
        chosen.exec(String(variables['ENVIRONMENT'] ?? variables['AZURE_ENV_NAME'] ?? '')) ?? [];
      const misdirected = (job.steps ?? []).filter(
        ({ run = '' }) =>
          /deploy -- /.test(run) && !/--environment "\$(?:ENVIRONMENT|AZURE_ENV_NAME)"/.test(run),
      );
      const environment = String(job['environment'] ?? '');
      const guarded =
        name === 'azure-dev' ||
        (source.startsWith('vars.') ? environment === 'preview' : environment.includes(`{{ ${source}`));
      const fork = /head\.repo\.full_name == github\.repository/;
      const condition = name === 'preview' ? fork : /^contains\(.*vars\.AZURE_ENVIRONMENTS/;
      const matrix = JSON.stringify(job['strategy'] ?? '');
      return [
        ...(source !== '' && guarded && misdirected.length === 0
          ? []
          : ['deploys to another environment than the chosen one, whose rules guard the run']),
        ...(name === 'preview' && job.if === undefined ? ['runs for forks'] : []),
        ...(job.if === undefined || condition.test(job.if) ? [] : [`is left out where not ${job.if}`]),
        ...(matrix === '""' || matrix.includes('fromJSON(vars.AZURE_ENVIRONMENTS')
          ? []
          : ['passes over an environment']),
      ];
    }),
  ];
}
