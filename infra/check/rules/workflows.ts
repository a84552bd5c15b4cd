import { steps as deploySteps } from '../../deploy/steps.ts';
import type { Finding, Project } from '../model.ts';
import { parseYaml } from '../yaml.ts';

type Permissions = Readonly<Record<string, string>>;

/** What a workflow may do, what starts it, and whether it signs in to Azure. */
interface Allowed {
  readonly permissions: Permissions;
  /** Of its jobs, where they have others. */
  readonly jobs?: Permissions;
  readonly triggers: readonly string[];
  readonly azure: boolean;
}

/** A workflow that is not named here is a finding. */
const allowed: Readonly<Record<string, Allowed>> = {
  release: {
    permissions: { contents: 'read' },
    jobs: { contents: 'write', 'id-token': 'write', attestations: 'write' },
    triggers: ['push'],
    azure: false,
  },
  ci: { permissions: { contents: 'read' }, triggers: ['push', 'pull_request'], azure: false },
  preview: {
    permissions: { contents: 'read', 'id-token': 'write', 'pull-requests': 'write' },
    triggers: ['pull_request'],
    azure: true,
  },
  provision: {
    permissions: { contents: 'read', 'id-token': 'write' },
    triggers: ['workflow_dispatch'],
    azure: true,
  },
  deploy: {
    permissions: { contents: 'read', 'id-token': 'write' },
    triggers: ['workflow_dispatch'],
    azure: true,
  },
  rollback: {
    permissions: { actions: 'read', contents: 'read', 'id-token': 'write' },
    triggers: ['workflow_dispatch'],
    azure: true,
  },
  drift: {
    permissions: { contents: 'read', 'id-token': 'write' },
    triggers: ['schedule', 'workflow_dispatch'],
    azure: true,
  },
  backup: {
    permissions: { contents: 'read', 'id-token': 'write' },
    triggers: ['schedule', 'workflow_dispatch'],
    azure: true,
  },
  'azure-dev': {
    permissions: { contents: 'read', 'id-token': 'write' },
    triggers: ['workflow_dispatch'],
    azure: true,
  },
};
/** What each workflow must do, in this order. */
const musts: Readonly<Record<string, readonly string[]>> = {
  ci: ['npm run check'],
  release: ['npm run check', 'npm run package', 'gh release create'],
  preview: ['npm run check:infra', 'deploy -- preview', 'gh pr comment'],
  provision: [
    'npm run check:infra',
    'deploy -- preflight',
    'deploy -- preview',
    'deploy -- provision',
    'deploy -- migrate',
    'deploy -- accounts',
    'deploy -- users',
  ],
  deploy: [
    'npm run check:infra',
    'npm run package',
    'deploy -- migrate',
    'deploy -- push',
    'deploy -- smoke',
  ],
  rollback: ['gh run download', 'deploy -- push', 'deploy -- smoke'],
  drift: ['deploy -- drift'],
  backup: ['deploy -- backup'],
  'azure-dev': ['npm run check:infra', 'azd auth login', 'deploy -- provision', 'deploy -- finish'],
};
/** Workflows whose last job needs the network of a private deployment, and so runs where a variable of the repository says. Those of an environment are not known in `runs-on`. */
const inside: readonly string[] = ['provision', 'deploy', 'rollback', 'backup'];
const runner =
  /^\$\{\{ vars\[format\('RUNNER_\{0\}', inputs\.environment(?: \|\| 'prod')?\)\] \|\| 'ubuntu-24\.04' \}\}$/;
/** Workflows of which one at a time may run on an environment. */
const alone = ['provision', 'deploy', 'rollback', 'backup', 'azure-dev'];

interface Step {
  readonly if?: string;
  readonly 'continue-on-error'?: unknown;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly 'runs-on'?: string;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Permissions;
  readonly environment?: unknown;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly strategy?: { readonly matrix?: { readonly environment?: unknown } };
  readonly 'continue-on-error'?: unknown;
  readonly if?: string;
  readonly steps?: readonly Step[];
}
interface Workflow {
  readonly on?: Readonly<Record<string, unknown>>;
  readonly permissions?: Permissions;
  readonly concurrency?: { readonly group?: string; readonly 'cancel-in-progress'?: boolean };
  readonly jobs?: Readonly<Record<string, Job>>;
}

/** Workflows have the rights that they need, an end, pinned actions, and the steps that a deployment must have, in order. */
export function workflows({ files }: Project): Finding[] {
  const found = [...files].filter(([file]) => file.startsWith('.github/workflows/'));
  const missing = Object.keys(allowed).filter((name) => !files.has(`.github/workflows/${name}.yml`));
  return [
    ...missing.map((name) => ({ file: '.github/workflows', message: `lacks ${name}.yml` })),
    ...differentPins(found),
    ...found.flatMap(([file, text]) => {
      const name = file.slice('.github/workflows/'.length).replace(/\.yml$/, '');
      return check(name, text).map((message) => ({ file, message }));
    }),
  ];
}

function check(name: string, text: string): string[] {
  const permitted = allowed[name];
  if (!permitted) return ['is not among the workflows that infra/check/rules/workflows.ts knows'];
  let workflow: Workflow;
  try {
    workflow = parseYaml(text) as Workflow;
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  const jobs = Object.entries(workflow.jobs ?? {});
  return [
    ...same('its permissions', workflow.permissions ?? {}, permitted.permissions),
    ...same('what starts it', Object.keys(workflow.on ?? {}).sort(), [...permitted.triggers].sort()),
    ...(alone.includes(name) &&
    (!workflow.concurrency?.group || workflow.concurrency['cancel-in-progress'] !== false)
      ? ['two runs of it may meet, or one ends another']
      : []),
    ...jobs.flatMap(([job, definition]) =>
      checkJob(name, permitted, definition).map((message) => `job ${job}: ${message}`),
    ),
    ...(inside.includes(name) && !runner.test(jobs.at(-1)?.[1]['runs-on'] ?? '')
      ? [
          'its last job cannot run inside of a private network (runs-on: vars of the repository, RUNNER_ and the environment)',
        ]
      : []),
    ...inOrder(
      musts[name] ?? [],
      jobs.flatMap(([, { steps = [] }]) => steps.flatMap(({ run }) => run ?? [])),
    ),
    ...jobs.flatMap(([, { steps = [] }]) => steps.flatMap(signInFaults)),
    ...pins(text),
  ];
}

function checkJob(workflow: string, { azure, jobs }: Allowed, job: Job): string[] {
  const steps = job.steps ?? [];
  const runs = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
  const references = runs.flatMap((run) =>
    [...run.matchAll(/npm run (?:--silent )?deploy -- (\S+)/g)].map(([, step = '']) => step),
  );
  const signIn = steps.findIndex(({ uses }) => uses?.startsWith('azure/login@'));
  const first = steps.findIndex(({ run }) => /deploy -- |azd (?:provision|deploy)/.test(run ?? ''));
  return [
    ...(typeof job['timeout-minutes'] === 'number' && job['timeout-minutes'] <= 180
      ? []
      : ['has no end (timeout-minutes)']),
    ...(workflow === 'ci' && Number(job['timeout-minutes']) > 20 ? ['takes more than 20 minutes'] : []),
    ...(JSON.stringify(job.permissions) === JSON.stringify(jobs) ? [] : ['has permissions of its own']),
    ...(azure && signIn === -1 ? ['does not sign in to Azure'] : []),
    ...(!azure && signIn !== -1 ? ['signs in to Azure'] : []),
    ...(signIn !== -1 && first !== -1 && first < signIn ? ['deploys before it has signed in'] : []),
    ...(azure && workflow !== 'azure-dev' && job.environment === undefined
      ? ['runs in no environment, whose rules guard it']
      : []),
    ...(workflow === 'preview' && !/head\.repo\.full_name == github\.repository/.test(job.if ?? '')
      ? ['runs for forks']
      : []),
    ...([job, ...steps].some((item) => 'continue-on-error' in item) ? ['goes on after a failure'] : []),
    ...steps.flatMap(({ if: condition, run, uses }) =>
      condition === undefined || (condition === 'always()' && /gh pr comment/.test(run ?? ''))
        ? []
        : [`leaves out a step where not ${condition}: ${run ?? uses}`],
    ),
    ...(job.if !== undefined && workflow !== 'preview' && !job.if.includes('vars.AZURE_ENVIRONMENTS')
      ? [`is left out where not ${job.if}`]
      : []),
    ...elsewhere(job, runs),
    ...references
      .filter((step) => !(step in deploySteps))
      .map((step) => `runs a step ${step}, which there is not`),
    ...runs
      .filter((run) => run.includes('${{'))
      .map(() => 'writes an expression into a command, where its text becomes code'),
    ...steps.flatMap(({ uses, with: given }) =>
      uses?.startsWith('actions/checkout@') && given?.['persist-credentials'] !== false
        ? ['leaves credentials of the repository behind']
        : [],
    ),
    ...(/secrets\./.test(JSON.stringify(job)) ? ['reads a secret; sign-in needs none'] : []),
  ];
}

/** What is deployed to another environment than the one that was chosen, whose rules guard the run. */
function elsewhere(job: Job, runs: readonly string[]): string[] {
  const chosen = /\$\{\{ (inputs\.environment|matrix\.environment|vars\.PREVIEW_ENVIRONMENT)\b/;
  const [, source] = chosen.exec(String(job.env?.['ENVIRONMENT'] ?? '')) ?? [];
  const deploys = runs.filter(
    (run) => /npm run (?:--silent )?deploy -- /.test(run) && !run.includes('--stack azd'),
  );
  const matrix = job.strategy?.matrix?.environment;
  return [
    ...(deploys.length > 0 && source === undefined
      ? ['deploys to an environment that nobody has chosen (ENVIRONMENT)']
      : []),
    ...(source === 'inputs.environment' || source === 'matrix.environment'
      ? String(job.environment).includes(`{{ ${source}`)
        ? []
        : ['runs in another environment than it deploys to']
      : []),
    ...deploys
      .filter((run) => !/--environment "\$ENVIRONMENT"/.test(run))
      .map((run) => `names another environment: ${run}`),
    ...(matrix !== undefined && !String(matrix).includes('fromJSON(vars.AZURE_ENVIRONMENTS')
      ? ['passes over an environment']
      : []),
  ];
}

/** The commands that are there in another order, or not at all. */
function inOrder(wanted: readonly string[], runs: readonly string[]): string[] {
  let from = 0;
  for (const command of wanted) {
    const at = runs.findIndex((run, index) => index >= from && new RegExp(`${command}(?![\\w:-])`).test(run));
    if (at === -1) return [`must do in this order: ${wanted.join(', ')}`];
    from = at;
  }
  return [];
}

/** A sign-in names whom, where and for what, and no secret. */
function signInFaults({ uses, with: given = {} }: Step): string[] {
  if (!uses?.startsWith('azure/login@')) return [];
  const wanted = {
    'client-id': 'AZURE_CLIENT_ID',
    'tenant-id': 'AZURE_TENANT_ID',
    'subscription-id': 'AZURE_SUBSCRIPTION_ID',
  };
  return Object.entries(wanted).flatMap(([name, variable]) =>
    given[name] === `$\{{ vars.${variable} }}` ? [] : [`signs in without ${name} of ${variable}`],
  );
}

function same(what: string, found: unknown, wanted: unknown): string[] {
  return JSON.stringify(found) === JSON.stringify(wanted)
    ? []
    : [`${what} are ${JSON.stringify(found)}; must be ${JSON.stringify(wanted)}`];
}

/** An action has one version in all workflows. */
function differentPins(files: readonly (readonly [string, string])[]): Finding[] {
  const digests = new Map<string, string>();
  return files.flatMap(([file, text]) =>
    [...text.matchAll(/uses: *([\w./-]+)@(\S+ *#? *\S*)/g)].flatMap(([, action = '', version = '']) => {
      const first = digests.get(action) ?? version;
      digests.set(action, first);
      return first === version
        ? []
        : [{ file, message: `${action} is ${version} here, and ${first} elsewhere` }];
    }),
  );
}

/** Actions are pinned by commit, with their version behind. */
function pins(text: string): string[] {
  return [...text.matchAll(/uses: *(\S+)(.*)$/gm)]
    .filter(([, action = '', comment = '']) => !/@[0-9a-f]{40}$/.test(action) || !/# v\d/.test(comment))
    .map(([, action]) => `${action} is not pinned by commit, with its version behind`);
}
