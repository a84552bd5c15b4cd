import { parse } from 'yaml';
import { timeLimits } from '../../deploy/time-limits.ts';
import type { Finding, Project } from '../model.ts';
import type { Data } from '../plan/data.ts';
import { differences, leaves } from '../plan/lines.ts';
import { clean } from '../plan/plan.ts';

const expression = (text: string) => `\${{ ${text} }}`;
const chosen = expression('inputs.environment');
/** Where the file of the environment says that it can be reached from. */
const placed = expression('needs.place.outputs.runner');

/** A job: the environment whose rules guard it, the one that it deploys to, and its runner where that may be one of ours. */
interface Job {
  readonly environment?: string;
  readonly target?: string;
  readonly runner?: string;
  readonly if?: string;
  readonly matrix?: string;
  /** The jobs that must have succeeded before. */
  readonly needs?: string | readonly string[];
}
/** What a workflow must be; actionlint knows the rest, where it is. */
interface Wanted {
  /** Its triggers, with branches, tags, paths and times; inputs left out. */
  readonly on: string;
  /** The runs of which one waits for another. */
  readonly alone?: string;
  /** Rights besides reading, as `permission` or, of one of its jobs alone, with the name of the job before. */
  readonly rights: string;
  /** Commands, in this order, with their options; the environment, which each has, is left out. */
  readonly commands: string;
  readonly jobs: Readonly<Record<string, Job>>;
}

const ofMatrix = {
  matrix: expression('fromJSON(needs.environments.outputs.list)'),
  needs: 'environments',
  target: expression('matrix.environment.name'),
  if: "needs.environments.outputs.list != '[]'",
};
const byHand = { on: 'workflow_dispatch', alone: chosen, rights: 'id-token' };
const place = { target: chosen };
const sandbox = expression("inputs.environment || 'sandbox'");
const deploying = { environment: chosen, target: chosen, needs: 'place', runner: placed };
const provisioning = { environment: `${chosen}-provision`, target: chosen };

/** A workflow that is not named here is a finding. */
const wanted: Readonly<Record<string, Wanted>> = {
  ci: {
    on: 'pull_request push.branches.0=main',
    rights: '',
    commands:
      "az bicep install, types, lint, build, test, test:tools, test:engines -- --exclude 'test/engines/{bicep,commands,existing,planted-faults,plans,queries}.test.ts', bench -- --smoke, test -- test/api test/contract, package",
    jobs: { check: {}, 'sql-server': {}, 'functions-host': {} },
  },
  release: {
    on: 'push.branches.0=main push.paths.0=package.json',
    alone: 'release',
    rights: 'publish attestations, publish contents, publish id-token',
    commands: 'release-notes -- "$TAG", az bicep install, check, package, sbom, gh release create',
    jobs: {
      version: {},
      build: { needs: 'version', if: "needs.version.outputs.tag != ''" },
      publish: { needs: 'build' },
    },
  },
  preview: {
    on: 'pull_request.paths.0=infra/** pull_request.paths.1=.github/workflows/preview.yml',
    alone: `preview-${expression('github.event.pull_request.number')}`,
    rights: 'id-token, pull-requests',
    commands: 'environments -- --stack bicep, az bicep install, check:infra, sign-in, preview, gh pr comment',
    jobs: {
      environments: { if: 'github.event.pull_request.head.repo.full_name == github.repository' },
      preview: { ...ofMatrix, environment: `${expression('matrix.environment.name')}-preview` },
    },
  },
  provision: {
    ...byHand,
    commands:
      'environments -- --runner "$ENVIRONMENT", az bicep install, check:infra, sign-in, preflight, preview, provision --yes, sign-in, migrate, accounts, users',
    jobs: {
      place,
      provision: { ...provisioning, needs: 'place' },
      databases: { ...provisioning, needs: ['place', 'provision'], runner: placed },
    },
  },
  deploy: {
    ...byHand,
    commands:
      'environments -- --runner "$ENVIRONMENT", package, sign-in, migrate, push --color "$COLOR", sign-in, smoke --color "$COLOR"',
    jobs: { place, deploy: deploying },
  },
  rollback: {
    ...byHand,
    commands:
      'environments -- --runner "$ENVIRONMENT", gh api, gh run download, sign-in, push --color "$COLOR" --package app.zip, smoke --color "$COLOR"',
    jobs: { place, rollback: deploying },
  },
  advisories: {
    on: 'schedule.0.cron=29 5 * * * workflow_dispatch',
    rights: '',
    commands: 'advisories',
    jobs: { advisories: {} },
  },
  judges: {
    on: 'pull_request.paths.0=infra/** pull_request.paths.1=.github/workflows/** schedule.0.cron=23 5 * * 2 workflow_dispatch',
    rights: '',
    commands: '',
    jobs: { checkov: {}, zizmor: {}, tflint: {} },
  },
  bench: {
    on: 'schedule.0.cron=41 2 1 * * workflow_dispatch',
    rights: '',
    commands: 'bench -- --output bench.md',
    jobs: { bench: {} },
  },
  drift: {
    on: 'schedule.0.cron=17 4 * * 1 workflow_dispatch',
    rights: 'id-token',
    commands: 'environments, az bicep install, sign-in, drift',
    jobs: {
      environments: {},
      drift: { ...ofMatrix, environment: `${expression('matrix.environment.name')}-drift` },
    },
  },
  sandbox: {
    on: 'schedule.0.cron=11 3 * * 1 workflow_dispatch',
    alone: 'sandbox',
    rights: 'id-token',
    commands:
      'environments -- --runner "$ENVIRONMENT", az bicep install, package, sign-in, preflight, provision --yes, sign-in, migrate, accounts, users, push, sign-in, smoke, drift, sign-in, teardown --yes --max-attempts 40 --wait 60',
    jobs: {
      place: {
        target: sandbox,
        // Off until somebody has turned it on, never for an environment that people use, nor with commands of another branch.
        if: "vars.SANDBOX == 'on' && github.ref_name == github.event.repository.default_branch && startsWith(inputs.environment || 'sandbox', 'sandbox')",
      },
      sandbox: { environment: `${sandbox}-provision`, target: sandbox, needs: 'place', runner: placed },
    },
  },
  backup: {
    on: 'schedule.0.cron=43 1 * * * workflow_dispatch',
    alone: 'backup',
    rights: 'id-token',
    commands: 'environments -- calendarBackup, sign-in, backup',
    jobs: {
      environments: {
        if: "github.event_name == 'schedule' || github.ref_name == github.event.repository.default_branch",
      },
      backup: {
        ...ofMatrix,
        environment: `${expression('matrix.environment.name')}-backup`,
        runner: expression('matrix.environment.runner'),
      },
    },
  },
};

const folder = '.github/workflows/';
/** A command of ours to the end of the line, or to where its output goes elsewhere. */
const command =
  /npm (?:run (?:--silent )?(?:deploy -- )?|(?=test\b))([^\n|>)]*?)(?: \d?>.*)?(?=$|[\n|>)])|\b(az bicep install|gh api|gh \w+ \w+)/g;
const environmentOption = / --environment "\$ENVIRONMENT"/;

/** Workflows have the rights that they need, run the required steps in order, and deploy to the chosen environment. */
export function workflows({ files }: Project): Finding[] {
  const found = [...files.keys()].filter((file) => file.startsWith(folder));
  const all = new Set([...found, ...Object.keys(wanted).map((name) => `${folder}${name}.yml`)]);
  return [...all].flatMap((file) => {
    const name = file.slice(folder.length, -'.yml'.length);
    const text = files.get(file);
    const must = wanted[name];
    if (text === undefined || !must)
      return [{ file, message: must ? 'is missing' : 'is not known to the check' }];
    return faultsOf(must, text).map((message) => ({ file, message }));
  });
}

interface Step {
  readonly id?: string;
  readonly env?: Yaml;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
type Yaml = Readonly<Record<string, unknown>>;
interface Workflow {
  readonly on: Yaml;
  readonly permissions?: Yaml;
  readonly concurrency?: { readonly group?: string; readonly 'cancel-in-progress'?: boolean };
  readonly jobs: Readonly<
    Record<
      string,
      Yaml & {
        env?: Yaml;
        outputs?: Yaml;
        permissions?: Yaml;
        strategy?: { matrix?: Yaml; 'fail-fast'?: boolean };
        steps: readonly Step[];
      }
    >
  >;
}
type WorkflowJob = Workflow['jobs'][string];

function faultsOf(must: Wanted, text: string): string[] {
  const { on, permissions, concurrency, jobs } = parse(text) as Workflow;
  const list = Object.values(jobs);
  const steps = list.flatMap((job) => job.steps);
  const writes = (rights: Yaml = {}, prefix = '') =>
    Object.entries(rights).flatMap(([right, how]) => (how === 'write' ? [`${prefix}${right}`] : []));
  const said = (run: string) =>
    [...run.matchAll(command)]
      .map(([, ours, tool]) => ours?.replace(environmentOption, '').trim() ?? tool)
      .join(', ');
  const found = {
    on: triggersOf(on),
    alone: concurrency?.group,
    rights: [
      ...writes(permissions),
      ...Object.entries(jobs).flatMap(([name, job]) => writes(job.permissions, `${name} `)),
    ]
      .sort()
      .join(', '),
    commands: steps
      .map(({ uses = '', run = '' }) => (uses.startsWith('azure/login@') ? 'sign-in' : said(run)))
      .filter(Boolean)
      .join(', '),
    jobs: Object.fromEntries(
      Object.entries(jobs).map(([name, job]) => [
        name,
        {
          environment: job['environment'],
          target: job.env?.['ENVIRONMENT'],
          runner: job['runs-on'] === 'ubuntu-24.04' ? null : job['runs-on'],
          if: job['if'],
          matrix: job.strategy?.matrix?.['environment'],
          needs: job['needs'],
        },
      ]),
    ),
  };
  const lines = (value: unknown) => new Map(leaves(clean(value as Data)));
  const changes = /\b(?:provision|push|backup)\b/.test(must.commands);
  const isAlone = concurrency?.group !== undefined && concurrency['cancel-in-progress'] === false;
  return [
    ...differences(lines(found), lines(must)).map(
      ([what, here, due]) => `${what} is ${here ?? 'missing'}; it must be ${due ?? 'left out'}`,
    ),
    ...(permissions && 'contents' in permissions ? [] : ['leaves its rights to the repository']),
    ...closedInputs(on),
    ...(changes && !isAlone ? ['two runs of it may meet, or one ends another'] : []),
    ...list.flatMap(jobFaults),
    ...steps.flatMap(stepFaults),
    ...[...text.matchAll(/uses: *(\S+)(.*)$/gm)]
      .filter(([, action = '', comment = '']) => !/@[0-9a-f]{40}$/.test(action) || !/# v\d/.test(comment))
      .map(([, action]) => `${action} is not pinned by commit, with its version behind`),
    ...(/^\s*(?:image|runs-on): .*latest|npm install .*@\d+$/m.test(text)
      ? ['has an image or a tool without its version']
      : []),
    ...(/\bnpx\b/.test(text) ? ['runs a package that no lock file names'] : []),
    ...(/continue-on-error/.test(text) ? ['goes on after a failure'] : []),
    ...(/secrets\./.test(text) ? ['reads a secret; sign-in needs none'] : []),
  ];
}

const triggersOf = (on: Yaml) =>
  [...leaves(on as Data)]
    .filter(([path]) => !path.includes('.inputs.'))
    .map(([path, value]) => (value === 'null' ? path : `${path}=${value.replaceAll('"', '')}`))
    .concat('workflow_dispatch' in on && on['workflow_dispatch'] !== null ? ['workflow_dispatch'] : [])
    .sort()
    .join(' ');

/** Whoever starts a workflow may name any environment of infra/environments: a list of options would know a few alone. */
function closedInputs(on: Yaml): string[] {
  const { inputs: asked = {} } = (on['workflow_dispatch'] ?? {}) as {
    inputs?: Readonly<Record<string, { readonly type?: string }>>;
  };
  return asked['environment'] !== undefined && asked['environment'].type !== 'string'
    ? [`asks for an environment of the type ${asked['environment'].type}; it must be string`]
    : [];
}

/** Characters of the longest comment that GitHub takes; a report needs some more for its head. */
const longestComment = 65_536;
/** Whether what is written for a comment is cut. */
const isCut = (runs: string) => {
  const bytes = Number(/\| (?:tail|head) -c (\d+) >> /.exec(runs)?.[1]);
  return bytes < longestComment - 1000;
};

/** GitHub ends a job after six hours. */
const longestJob = 360;
function jobFaults(job: WorkflowJob): string[] {
  const minutes = Number(job['timeout-minutes']);
  const runs = job.steps.map(({ run = '' }) => run).join('\n');
  // A job that ends before its command leaves the work half done, and says nothing of it.
  const needed = Object.entries({ ...timeLimits, drift: timeLimits.preview }).filter(([step]) =>
    runs.includes(`deploy -- ${step} `),
  );
  const written = job.steps.map(({ id, run = '' }) => ({ id, run }));
  const lost = Object.values(job.outputs ?? {}).filter((output) => {
    const [, step, name] = /steps\.([\w-]+)\.outputs\.([\w-]+)/.exec(String(output)) ?? [];
    return !written.some(
      ({ id, run }) => id === step && run.includes(`${name}=`) && run.includes('GITHUB_OUTPUT'),
    );
  });
  return [
    ...(minutes > 0 && minutes <= longestJob ? [] : ['has a job without an end']),
    ...needed
      .filter(([, least]) => minutes < least)
      .map(([step, least]) => `ends ${step} after ${minutes} minutes; it may take ${least}`),
    ...(job.strategy?.matrix !== undefined && job.strategy['fail-fast'] !== false
      ? ['has environments of which one that fails ends the others']
      : []),
    ...(runs.includes('gh pr comment') && !isCut(runs)
      ? [`writes a comment that may have more than the ${longestComment} characters that GitHub takes`]
      : []),
    ...lost.map((output) => `gives ${output}, which no step writes`),
    ...variableFaults(job),
  ];
}

/** Each variable is the one of its name, none that is read is missing, and what a deployment needs to know is handed over. */
function variableFaults({ env = {}, steps, ...job }: WorkflowJob): string[] {
  const crossed = Object.entries(env).filter(([name, value]) => {
    const [, kind, source = ''] = /^\$\{\{ (vars|inputs)\.(\w+) \}\}$/.exec(String(value)) ?? [];
    // Terraform calls the variables of a sign-in otherwise.
    return (
      kind !== undefined &&
      name.replace(/^ARM_/, 'AZURE_') !== (kind === 'vars' ? source : source.toUpperCase())
    );
  });
  const unset = steps.flatMap(({ run = '', env: own = {} }) =>
    [...run.matchAll(/\$\{?([A-Z][A-Z_]+)\b/g)]
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('GITHUB_') && !(name in env) && !(name in own)),
  );
  const runs = steps.map(({ run = '' }) => run).join('\n');
  const environment = String(job['environment'] ?? '');
  const isGivenOutputs = environment !== '' && !/-(?:provision|drift|preview)$/.test(environment);
  const color =
    /--color /.test(runs) && env['COLOR'] !== expression('inputs.color')
      ? [`sets COLOR to ${env['COLOR']}`]
      : [];
  const due = [...(isGivenOutputs && /deploy -- /.test(runs) ? ['DEPLOYMENT_OUTPUTS'] : [])];
  return [
    ...crossed.map(([name, value]) => `sets ${name} to ${value}`),
    ...color,
    ...unset.map((name) => `reads $${name}, which nothing sets`),
    ...due
      .filter((name) => env[name] !== expression(`vars.${name}`))
      .map((name) => `does not hand over ${name}`),
  ];
}

const ids = ['client-id', 'tenant-id', 'subscription-id'];
/** What tells a run of deploy on the main branch that has ended well from all others, and that the other ones are refused. */
const ofRun = [
  '.path',
  '.event',
  '.head_branch',
  '.head_repository.full_name',
  '.conclusion',
  'workflow_dispatch $MAIN $GITHUB_REPOSITORY success',
  'exit 1',
];

/** The package of a run of deploy, which a rollback takes. */
const packageOfRun = { name: 'app', path: 'app.zip' };

function stepFaults({ if: condition, uses = '', run = '', with: given = {} }: Step): string[] {
  const isWhole = ids.every(
    (id) => given[id] === expression(`vars.AZURE_${id.replace('-', '_').toUpperCase()}`),
  );
  // A report is made of a failed run too; nothing is previewed until the variables are there.
  const hasVariables = "vars.AZURE_CLIENT_ID != ''";
  const isPreview =
    condition === hasVariables && (uses.startsWith('azure/login@') || run.includes('deploy -- preview '));
  // What a run that failed has made is removed too.
  const isRemoval =
    condition === 'always()' && (uses.startsWith('azure/login@') || run.includes('deploy -- teardown '));
  const isReport =
    (condition === 'always()' || condition === `always() && ${hasVariables}`) &&
    (run.includes('gh pr comment') || uses.startsWith('actions/upload-artifact@'));
  const faults: readonly (readonly [boolean, string])[] = [
    [uses.startsWith('azure/login@') && !isWhole, 'does not say who signs in, and where'],
    [
      condition !== undefined && !isReport && !isPreview && !isRemoval,
      `leaves out a step where not ${condition}`,
    ],
    [/\$\{\{/.test(run), 'writes an expression into a command, where its text becomes code'],
    [/\|\| *(?:true|:|exit 0)|\bset \+e\b/.test(run), 'passes over the failure of a command'],
    [
      /deploy -- [^\n|]*\|(?!\|)/.test(run) && !run.includes('set -o pipefail'),
      'passes over the failure of a command in a pipe',
    ],
    [
      /deploy -- /.test(run) && !/--environment "\$ENVIRONMENT"/.test(run),
      'deploys to another environment than the chosen one',
    ],
    [
      run.includes('/actions/runs/') && !ofRun.every((part) => run.includes(part)),
      `takes the package of a run without having looked at ${ofRun.join(', ')}`,
    ],
    [
      uses.startsWith('actions/upload-artifact@') &&
        given['path'] === packageOfRun.path &&
        !(
          given['name'] === packageOfRun.name &&
          given['if-no-files-found'] === 'error' &&
          Number(given['retention-days']) >= 30
        ),
      'keeps no package that a rollback could push a month later, or under another name than that takes',
    ],
    [
      run.includes('gh run download') && !run.includes(`gh run download "$RUN" --name ${packageOfRun.name}`),
      'takes another package than that of deploy',
    ],
    [
      uses.startsWith('actions/checkout@') && given['persist-credentials'] !== false,
      'leaves credentials of the repository behind',
    ],
    [
      uses.startsWith('actions/checkout@') && ('ref' in given || 'repository' in given),
      'works on another commit than the one that it was started on',
    ],
  ];
  return faults.flatMap(([holds, message]) => (holds ? [message] : []));
}
