/** The change feed of a calendar, and the callers who wait for the next change. */

import { setTimeout as delay } from 'node:timers/promises';
import { CodedError } from '../../../shared/errors.ts';
import { LongPoll, type Polled } from '../../../shared/limits/long-poll.ts';
import { unavailable } from '../log/failure.ts';
import type { Freshness } from '../log/log.ts';
import type { CalendarRequest } from '../model/calendar-context.ts';
import { parseFilters } from '../model/fields/parameter.ts';
import { anonymous } from '../model/rights.ts';
import { type ChangePage, changeParameters, listChanges } from '../read/changes.ts';
import type { ReadContext, ReadResult } from '../read/read-context.ts';
import { publishDue } from '../write/publish-due.ts';
import type { ReplicaSession } from './replica-session.ts';

/** Milliseconds by which a timer may end early, at most. */
const timerError = 1;

export class ChangeFeed {
  readonly #session: ReplicaSession;
  readonly #followers: LongPoll;

  constructor(session: ReplicaSession, maxWaiting: number) {
    this.#session = session;
    const look = () => this.#state();
    this.#followers = new LongPoll({ name: 'callers that wait for the calendar', maxWaiting, look });
  }

  /**
   * Lists the changes of a request, once any process shows them to the caller. Where there are none yet, waits for the first one up to
   * some milliseconds. Throws `changes-gone` for a version of another history.
   */
  list(request: CalendarRequest, waitMs = 0): Promise<Polled<ReadResult<ChangePage>>> {
    return this.#followers.read(request.callerKey ?? '', waitMs, async () => {
      const value = await this.#present(request);
      const isFound = value.value.changes.length > 0;
      if (isFound) await this.#untilShownBy(request);
      return { value, state: stateOf(value.freshness), isFound };
    });
  }

  /** Waits until no process answers a caller from a state before the present one: a follower reads a change once, as soon as it is named. */
  async #untilShownBy(request: CalendarRequest): Promise<void> {
    const milliseconds = this.#session.stalenessFor(request);
    if (milliseconds > 0) await delay(milliseconds + timerError);
  }

  /** Names the present state. A scheduled record that is due makes it another one. */
  async #state(): Promise<string> {
    const { replica } = this.#session;
    const state = stateOf(await this.#session.freshness());
    replica.publishDue();
    return replica.publishedByClock().length > 0 ? `${state} due` : state;
  }

  async #present(request: CalendarRequest): Promise<ReadResult<ChangePage>> {
    const { replica } = this.#session;
    let page = await this.#read(request, this.#session.stalenessFor(request));
    // A follower may know a version, or a history, that another process has written.
    if (!continues(page)) page = await this.#read(request, 0);
    if (!page.result.freshness.stale && replica.publishedByClock().length > 0) {
      // The clock publishes, and not the caller who has asked first.
      await this.#session.commit({ ...request, caller: anonymous }, true, publishDue);
      page = await this.#read(request, 0);
    }
    mustContinue(page);
    return page.result;
  }

  async #read(request: CalendarRequest, maxAgeMs: number): Promise<Continuation> {
    const query = (context: ReadContext) => {
      const { since, history, per_page } = parseFilters(changeParameters, context);
      return { since, history, page: listChanges(since, per_page, context) };
    };
    const { value, freshness } = await this.#session.read(request, query, maxAgeMs);
    const { since, history, page } = value;
    return { since, history, result: { value: page, freshness } };
  }
}

function stateOf({ history, version }: Freshness): string {
  return `${history} ${version}`;
}

/** What a caller has read before, and the page that follows it. */
interface Continuation {
  readonly since: number;
  readonly history: string | undefined;
  readonly result: ReadResult<ChangePage>;
}

/** Checks whether a calendar is of another history than the caller has read. An empty calendar has none yet; what happens first continues it. */
function isReplaced({ history, result: { freshness } }: Continuation): boolean {
  return history !== undefined && history !== '' && history !== freshness.history;
}

/** Checks whether the versions of a caller are those of the calendar. */
function continues(page: Continuation): boolean {
  return !isReplaced(page) && page.since <= page.result.value.latest;
}

/** Throws where the versions of a caller are not those of the calendar: what happened since is not known. */
function mustContinue(page: Continuation): void {
  if (continues(page)) return;
  const isOther = isReplaced(page);
  const {
    since,
    result: { freshness },
  } = page;
  if (freshness.stale) throw unavailable('list the changes', 'its storage does not answer');
  throw new CodedError(
    'changes-gone',
    isOther
      ? 'Cannot list the changes: the calendar was replaced. Start over without since and history.'
      : `Cannot list the changes: the calendar has no version ${since}; it was replaced. Start over without since and history.`,
  );
}
