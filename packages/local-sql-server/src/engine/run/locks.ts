/** Locks that sessions hold and wait for. */

/** The owner of locks, or of requests for them: a session. */
export interface LockOwner {
  readonly processId: number;
}

export type LockMode = 'IntentShared' | 'Shared' | 'Update' | 'IntentExclusive' | 'Exclusive';
export type LockResult = 'granted' | 'timeout' | 'deadlock' | 'cancelled';

/** Modes that may be held beside each mode ("Lock compatibility"). */
const compatible: Readonly<Record<LockMode, ReadonlySet<LockMode>>> = {
  IntentShared: new Set(['IntentShared', 'Shared', 'Update', 'IntentExclusive']),
  Shared: new Set(['IntentShared', 'Shared', 'Update']),
  Update: new Set(['IntentShared', 'Shared']),
  IntentExclusive: new Set(['IntentShared', 'IntentExclusive']),
  Exclusive: new Set(),
};

interface Grant {
  readonly owner: LockOwner;
  readonly mode: LockMode;
}

interface Request extends Grant {
  readonly resource: string;
  resolve(result: LockResult): void;
}

/**
 * Locks on named resources, first come first served. A request that would close a ring of waiting owners is the
 * deadlock's victim. Waiting never blocks the process.
 */
export class LockManager {
  readonly #granted = new Map<string, Grant[]>();
  readonly #waiting: Request[] = [];

  /** Waits up to `timeout` milliseconds (-1: for ever, 0: not at all). Acquiring a lock again counts as a further hold. */
  acquire(owner: LockOwner, resource: string, mode: LockMode, timeout: number): Promise<LockResult> {
    if (this.#mayGrant(owner, resource, mode)) return Promise.resolve(this.#grant(owner, resource, mode));
    if (timeout === 0) return Promise.resolve('timeout');
    if (this.#closesRing(owner, resource, mode)) return Promise.resolve('deadlock');
    return this.#wait(owner, resource, mode, timeout);
  }

  /** Grants at once, or tells that it cannot. */
  tryAcquire(owner: LockOwner, resource: string, mode: LockMode): boolean {
    return this.#mayGrant(owner, resource, mode) && this.#grant(owner, resource, mode) === 'granted';
  }

  /** Returns one hold back; false without one. */
  release(owner: LockOwner, resource: string, mode?: LockMode): boolean {
    const grants = this.#granted.get(resource) ?? [];
    const index = grants.findLastIndex(
      (grant) => grant.owner === owner && (mode === undefined || grant.mode === mode),
    );
    if (index < 0) return false;
    grants.splice(index, 1);
    if (!grants.length) this.#granted.delete(resource);
    this.#serve(resource);
    return true;
  }

  /** Ends an owner's waiting. */
  cancel(owner: LockOwner): void {
    for (const request of this.#waiting.filter((waiting) => waiting.owner === owner))
      this.#remove(request, 'cancelled');
  }

  #grant(owner: LockOwner, resource: string, mode: LockMode): 'granted' {
    const grants = this.#granted.get(resource);
    if (grants) grants.push({ owner, mode });
    else this.#granted.set(resource, [{ owner, mode }]);
    return 'granted';
  }

  /** The holds of others must allow it, and no waiting request may be overtaken, unless the owner already has a hold. */
  #mayGrant(owner: LockOwner, resource: string, mode: LockMode): boolean {
    const grants = this.#granted.get(resource) ?? [];
    if (!isFree(grants, owner, mode)) return false;
    return (
      grants.some((grant) => grant.owner === owner) ||
      !this.#waiting.some((request) => request.resource === resource)
    );
  }

  #wait(owner: LockOwner, resource: string, mode: LockMode, timeout: number): Promise<LockResult> {
    return new Promise((grant) => {
      const timer = timeout > 0 ? setTimeout(() => this.#remove(request, 'timeout'), timeout) : undefined;
      const resolve = (result: LockResult): void => {
        clearTimeout(timer);
        grant(result);
      };
      const request: Request = { owner, resource, mode, resolve };
      this.#waiting.push(request);
    });
  }

  #remove(request: Request, result: LockResult): void {
    const index = this.#waiting.indexOf(request);
    if (index < 0) return;
    this.#waiting.splice(index, 1);
    request.resolve(result);
    this.#serve(request.resource);
  }

  #serve(resource: string): void {
    for (const request of this.#waiting.filter((waiting) => waiting.resource === resource)) {
      if (!isFree(this.#granted.get(resource) ?? [], request.owner, request.mode)) return;
      this.#waiting.splice(this.#waiting.indexOf(request), 1);
      request.resolve(this.#grant(request.owner, resource, request.mode));
    }
  }

  /** Follows the graph of waiting owners, from those in the way of this request; true when it leads back to its owner. */
  #closesRing(owner: LockOwner, resource: string, mode: LockMode): boolean {
    const seen = new Set<LockOwner>();
    const next = this.#blockers(owner, resource, mode);
    for (let blocker = next.pop(); blocker; blocker = next.pop()) {
      if (blocker === owner) return true;
      if (seen.has(blocker)) continue;
      seen.add(blocker);
      for (const request of this.#waiting.filter((waiting) => waiting.owner === blocker))
        next.push(...this.#blockers(request.owner, request.resource, request.mode));
    }
    return false;
  }

  #blockers(owner: LockOwner, resource: string, mode: LockMode): LockOwner[] {
    const holders = (this.#granted.get(resource) ?? []).filter(
      (grant) => grant.owner !== owner && !compatible[mode].has(grant.mode),
    );
    return holders.map((grant) => grant.owner);
  }
}

function isFree(grants: readonly Grant[], owner: LockOwner, mode: LockMode): boolean {
  return grants.every((grant) => grant.owner === owner || compatible[mode].has(grant.mode));
}
