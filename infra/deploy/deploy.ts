/** One run of `npm run deploy`: reads what is asked for, and does its steps in order. */

import {
  type CommandRuntime,
  type Context,
  commandLine,
  createContext,
  Interrupted,
  TimeLimit,
  ToolFailure,
} from './context.ts';
import { stepsInside } from './guards.ts';
import { help } from './help.ts';
import { hintFor } from './hints.ts';
import { type Options, readOptions, UsageError } from './options.ts';
import { patient } from './retry.ts';
import { beginRun } from './run-record.ts';
import { type Step, stepsFor } from './steps.ts';
import { effectiveValues } from './values.ts';

/** Exit codes: of a failure, of wrong use, and of a run that was interrupted. */
const codes = { failed: 1, usage: 2, interrupted: 130 };

/** Does what the words of a command line ask for. Never throws what a person can mend; gives the exit code. */
export async function deploy(words: readonly string[], runtime: CommandRuntime): Promise<number> {
  try {
    const read = readOptions(words, runtime.environment, runtime.environments);
    if (read === undefined) runtime.say(help);
    else await run(read, words, runtime);
    return 0;
  } catch (error) {
    return explain(error, words, runtime);
  }
}

/** Where a run has ended: what it has done, and what it has not. */
class Ended extends Error {
  readonly done: readonly string[];
  readonly failed: string;
  constructor(done: readonly string[], failed: string, cause: unknown) {
    super(`${failed} has not ended well.`, { cause });
    this.done = done;
    this.failed = failed;
  }
}

async function run(
  { step, options }: { step: string; options: Options },
  words: readonly string[],
  runtime: CommandRuntime,
): Promise<void> {
  const steps = stepsFor(step);
  const isData = steps.some(([, step]) => step.isData);
  const context = patient(createContext(options, runtime, { isData }));
  if (step === 'all') await mustReachTheInside(context);
  const changes = steps.some(([, { changes }]) => changes);
  if (options.dryRun || !changes) return doSteps(steps, context);
  const record = beginRun(context, words.filter((word) => word !== '--resume').join(' '));
  let whole = false;
  try {
    const skipped = options.resume ? record.doneBefore : [];
    await doSteps(steps, context, record, skipped);
    whole = true;
  } finally {
    record.end(whole);
  }
}

/**
 * Of a private deployment `all` does what only a machine inside of the network can, after the longest step. Asks before all of them;
 * throws a UsageError on a refusal, and where nobody can be asked.
 */
async function mustReachTheInside({ options, say, ask }: Context): Promise<void> {
  const steps = stepsInside(effectiveValues(options));
  if (steps.length === 0 || options.yes || options.dryRun) return;
  say(`${options.environment} is private: ${steps.join(', ')} work from inside of its network only.`);
  if (await ask('Is this machine inside of it, or will it be when provision has ended? (y/n)')) return;
  throw new UsageError(
    `Run the steps up to provision here (preflight, entra, provision), and ${steps.join(', ')} from inside: docs/deploy.md, "Private networking". all --yes does not ask.`,
  );
}

interface Notes {
  readonly begin: (step: string) => void;
  readonly complete: (step: string) => void;
}

async function doSteps(
  steps: readonly [string, Step][],
  context: Context,
  notes?: Notes,
  skipped: readonly string[] = [],
): Promise<void> {
  const done: string[] = [];
  for (const [name, step] of steps) {
    try {
      if (context.signal.aborted) throw new Interrupted();
      notes?.begin(name);
      if (skipped.includes(name)) context.say(`== ${name}: done before`);
      else {
        context.say(`== ${name}: ${step.summary}`);
        await step.run(context);
      }
      notes?.complete(name);
      done.push(name);
    } catch (error) {
      throw new Ended(done, name, error);
    }
  }
}

function explain(error: unknown, words: readonly string[], { complain }: CommandRuntime): number {
  const ended = error instanceof Ended ? error : undefined;
  const reason = ended === undefined ? error : ended.cause;
  if (!(reason instanceof Error)) throw reason;
  complain(reason.message);
  if (reason instanceof ToolFailure) {
    const hint = hintFor(reason.complaint);
    if (hint !== undefined) complain(hint);
  }
  if (reason instanceof TimeLimit)
    complain('What it has begun may go on in Azure; running the step again waits for that and goes on.');
  if (reason instanceof UsageError && (ended?.done.length ?? 0) === 0) {
    complain('npm run deploy -- --help lists steps and options.');
    return codes.usage;
  }
  if (ended !== undefined) {
    const resume =
      words[0] === 'all' && ended.done.length > 0 && !words.includes('--resume') ? ['--resume'] : [];
    complain(
      `Done: ${ended.done.join(', ') || 'nothing'}. Not done: ${ended.failed}${words[0] === 'all' ? ', and what comes after it' : ''}.`,
    );
    complain(
      `When the reason is gone, go on with: ${commandLine('npm', ['run', 'deploy', '--', ...words, ...resume])}`,
    );
  }
  if (reason instanceof UsageError) return codes.usage;
  return reason instanceof Interrupted ? codes.interrupted : codes.failed;
}
