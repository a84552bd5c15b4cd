/** The state of what the service depends on, cached so that probes do not use it over and over. */

import type { TSchema } from 'typebox';
import { type CodedError, isCodedError } from '../errors.ts';
import { logFailure } from '../telemetry/log.ts';
import { withTimeout } from '../timing.ts';

export interface Dependency {
  readonly name: string;
  /** Uses the dependency once; throws when it cannot be used. */
  readonly check: () => Promise<void>;
  /** Creates the error of a check that gets no answer in time. */
  readonly silent: () => CodedError;
  /** Looks, after the check, for what should be known of a dependency that can be used; may throw as well. */
  readonly notice?: () => Promise<Notice | undefined>;
  /** Whether to check a ready dependency again: because it has failed in use since, because its notice may be over, or because a check costs nothing. Default: never. */
  readonly shouldRecheck?: (last: DependencyState) => boolean;
  /** Whether a failing dependency has been used with success since, so that it is checked again at once. Default: never. */
  readonly hasRecovered?: (last: DependencyState) => boolean;
  /** What callers with a role are shown beyond the state, by name: each part looked for when it is asked for, and left out where it cannot be read. */
  readonly details?: Readonly<Record<string, Detail>>;
  /** Milliseconds that a check takes at most while all is well. Default: 2,000. */
  readonly threshold?: number;
}

/** A part of what callers with a role are shown of a dependency. */
export interface Detail {
  /** With a description, for the document. */
  readonly schema: TSchema;
  readonly read: () => Promise<unknown>;
}

/** Something that should be known of a dependency that can be used. */
export interface Notice {
  readonly code: string;
  readonly detail: string;
}

export interface DependencyState {
  readonly state: 'ready' | 'failing';
  /** Code and message of the failure, or of a notice. */
  readonly code?: string;
  readonly detail?: string;
  /** When it was found to be ready, or to fail: the first time in a row. */
  readonly since: string;
  /** Milliseconds that finding it out took, and those that it takes at most while all is well. */
  readonly milliseconds: number;
  readonly threshold: number;
}

/** Milliseconds after which a failing dependency is checked again. */
const retryAfterFailure = 5_000;

/** Milliseconds that a probe waits for a check, or for details: shorter than those who send probes wait for their answer. */
const probeTime = 3_000;

/**
 * Creates the function that reports every dependency. A ready dependency is checked again only when it says so, so that probes never keep a
 * serverless database awake; a failing one is checked again after five seconds, or once it was used with success. One whose check takes longer than a probe waits is failing
 * until the check ends.
 */
export function healthOf(
  dependencies: readonly Dependency[],
): () => Promise<Record<string, DependencyState>> {
  const states = new Map<string, DependencyState>();
  const checkedAt = new Map<string, number>();
  const running = new Map<string, Promise<DependencyState>>();

  async function stateOf(dependency: Dependency): Promise<DependencyState> {
    const last = states.get(dependency.name);
    if (last !== undefined && !isDue(dependency, last, checkedAt.get(dependency.name) ?? 0)) return last;
    const check = running.get(dependency.name) ?? startCheck(dependency);
    let late: CodedError | undefined;
    const timeoutError = () => {
      late = dependency.silent();
      return late;
    };
    return withTimeout(probeTime, check, timeoutError).catch((error: unknown) => {
      if (error !== late) throw error;
      return note(dependency, { ...failingState(error, Date.now()), ...measured(dependency, probeTime) });
    });
  }

  /** Remembers what was found now; what was found before already is so since then. */
  function note({ name }: Dependency, found: DependencyState): DependencyState {
    const last = states.get(name);
    const state = last?.state === found.state ? { ...found, since: last.since } : found;
    states.set(name, state);
    checkedAt.set(name, Date.now());
    return state;
  }

  function startCheck(dependency: Dependency): Promise<DependencyState> {
    const check = checkOnce(dependency).then((state) => {
      running.delete(dependency.name);
      return note(dependency, state);
    });
    running.set(dependency.name, check);
    return check;
  }

  return () => entriesOf(dependencies, async (item) => [item.name, await stateOf(item)]);
}

/** Reads the details of every dependency, by its name. Details that cannot be read, or not in time, are left out: the state says what is wrong. */
export async function detailsOf(
  dependencies: readonly Dependency[],
): Promise<Record<string, Readonly<Record<string, unknown>>>> {
  return entriesOf(dependencies, async ({ name, silent, details = {} }) => [
    name,
    await entriesOf(Object.entries(details), async ([part, { read }]) => [
      part,
      await withTimeout(probeTime, read(), silent).catch(leaveOut),
    ]),
  ]);
}

async function entriesOf<One, Value>(
  all: readonly One[],
  entryOf: (item: One) => Promise<readonly [string, Value]>,
): Promise<Record<string, Value>> {
  return Object.fromEntries(await Promise.all(all.map(entryOf)));
}

function leaveOut(error: unknown): undefined {
  if (!isCodedError(error)) logFailure(undefined, error);
}

function isDue(
  { shouldRecheck = () => false, hasRecovered = () => false }: Dependency,
  last: DependencyState,
  checkedAt: number,
): boolean {
  return last.state === 'ready'
    ? shouldRecheck(last)
    : hasRecovered(last) || Date.now() - checkedAt >= retryAfterFailure;
}

async function checkOnce(dependency: Dependency): Promise<DependencyState> {
  const startedAt = performance.now();
  const state = await stateNow(dependency);
  return { ...state, ...measured(dependency, performance.now() - startedAt) };
}

function measured({ threshold = 2_000 }: Dependency, milliseconds: number) {
  return { milliseconds: Math.round(milliseconds), threshold };
}

type StateAlone = Omit<DependencyState, 'milliseconds' | 'threshold'>;

async function stateNow({ check, notice = async () => undefined }: Dependency): Promise<StateAlone> {
  const now = Date.now();
  try {
    await check();
    return { state: 'ready', ...(await notice()), since: new Date(now).toISOString() };
  } catch (error) {
    return failingState(error, now);
  }
}

function failingState(error: unknown, now: number): StateAlone {
  const since = new Date(now).toISOString();
  if (!isCodedError(error))
    return { state: 'failing', code: 'internal-error', detail: 'The check failed.', since };
  return { state: 'failing', code: error.code, detail: error.message, since };
}
