/** One run of `npm run deploy`: reads what is asked for, and does its steps in order. */

import {
  type CommandRuntime,
  type Context,
  createContext,
  Interrupted,
  TimeLimit,
  ToolFailure,
} from './context.ts';
import { stepsInside } from './guards.ts';
import { help } from './help.ts';
import { hintFor } from './hints.ts';
import { type Options, readOptions, UsageError } from './options.ts';
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
    return explain(error, runtime);
  }
}

async function run(
  { step, options }: { step: string; options: Options },
  words: readonly string[],
  runtime: CommandRuntime,
): Promise<void> {
  const steps = stepsFor(step);
  const isData = steps.some(([, step]) => step.isData);
  const context = createContext(options, runtime, { isData });
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
  for (const [name, step] of steps) {
    if (context.signal.aborted) throw new Interrupted();
    notes?.begin(name);
    if (skipped.includes(name)) context.say(`== ${name}: done before the interruption`);
    else {
      context.say(`== ${name}: ${step.summary}`);
      await step.run(context);
    }
    notes?.complete(name);
  }
}

function explain(error: unknown, { complain }: CommandRuntime): number {
  if (!(error instanceof Error)) throw error;
  complain(error.message);
  if (error instanceof UsageError) complain('npm run deploy -- --help lists steps and options.');
  if (error instanceof UsageError) return codes.usage;
  if (error instanceof ToolFailure) {
    const hint = hintFor(error.complaint);
    if (hint !== undefined) complain(hint);
  } else
    complain(
      'The steps that were done before stay done; run the failed one again (all --resume goes on with it).',
    );
  if (error instanceof TimeLimit)
    complain('What it has begun may go on in Azure; running the step again waits for that and goes on.');
  return error instanceof Interrupted ? codes.interrupted : codes.failed;
}
