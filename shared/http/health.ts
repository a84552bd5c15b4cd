/** The state of the things the service depends on, known without asking them over and over. */

import { isCodedError } from '../errors.ts';

export interface Dependency {
  readonly name: string;
  /** Uses the dependency once; throws when it cannot be used. */
  readonly check: () => Promise<void>;
  /** Tells whether it is worth asking again although it was found ready: because it has failed in use since, or because asking costs nothing. Default: never. */
  readonly suspect?: () => boolean;
}

export interface DependencyState {
  readonly state: 'ready' | 'failing';
  /** Code and message of the failure. */
  readonly code?: string;
  readonly detail?: string;
  /** When this was found out. */
  readonly since: string;
}

/** Milliseconds after which a failing dependency is asked again. */
const retryAfterFailure = 5_000;

/**
 * Makes the function that reports every dependency. One that was found ready is not asked again while
 * it is not suspect, so that probes never keep a serverless database awake; a failing one is asked again after five seconds.
 */
export function healthOf(
  dependencies: readonly Dependency[],
): () => Promise<Record<string, DependencyState>> {
  const known = new Map<string, DependencyState>();
  const asking = new Map<string, Promise<DependencyState>>();

  async function stateOf(dependency: Dependency): Promise<DependencyState> {
    const last = known.get(dependency.name);
    if (last !== undefined && !worthAsking(dependency, last)) return last;
    const running =
      asking.get(dependency.name) ?? ask(dependency).finally(() => asking.delete(dependency.name));
    asking.set(dependency.name, running);
    const state = await running;
    known.set(dependency.name, state);
    return state;
  }

  return async () =>
    Object.fromEntries(
      await Promise.all(dependencies.map(async (one) => [one.name, await stateOf(one)] as const)),
    );
}

function worthAsking({ suspect = () => false }: Dependency, { state, since }: DependencyState): boolean {
  return state === 'ready' ? suspect() : Date.now() - Date.parse(since) >= retryAfterFailure;
}

async function ask({ check }: Dependency): Promise<DependencyState> {
  const since = new Date().toISOString();
  try {
    await check();
    return { state: 'ready', since };
  } catch (error) {
    if (!isCodedError(error))
      return { state: 'failing', code: 'internal-error', detail: 'The check failed.', since };
    return { state: 'failing', code: error.code, detail: error.message, since };
  }
}
