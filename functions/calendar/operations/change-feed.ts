/** The change feed of a calendar, and the callers who wait for the next change. */

import { setTimeout as delay } from 'node:timers/promises';
import { CodedError } from '../../../shared/errors.ts';
import { LongPoll, type Polled } from '../../../shared/limits/long-poll.ts';
import { unavailable } from '../log/failure.ts';
import type { Freshness } from '../log/log.ts';
import type { CalendarRequest } from '../model/calendar-context.ts';
import { parseFilters } from '../model/fields/parameter.ts';
import { type ChangePage, changeParameters, listChanges } from '../read/changes.ts';
import type { ReadContext, ReadResult } from '../read/read-context.ts';
import type { CalendarReplica } from '../replica/replica.ts';
import { publishDue } from '../write/publish-due.ts';
import type { Write } from '../write/write.ts';

/** What the feed needs of its calendar. */
export interface FollowedCalendar {
  readonly replica: CalendarReplica;
  freshness(): Promise<Freshness>;
  /** Reads what no process has changed since. A follower may know a version that another process has written. */
  readLatest<T>(request: CalendarRequest, query: (context: ReadContext) => T): Promise<ReadResult<T>>;
  /** Returns how many milliseconds old the state may be that other reads of a caller show. */
  stalenessFor(request: CalendarRequest): number;
  commit<T>(request: CalendarRequest, decide: (write: Write) => T): Promise<T>;
}

/** Milliseconds by which a timer may end early, at most. */
const timerError = 1;

export class ChangeFeed {
  readonly #calendar: FollowedCalendar;
  readonly #followers: LongPoll;

  constructor(calendar: FollowedCalendar, maxWaiting: number) {
    this.#calendar = calendar;
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
    const milliseconds = this.#calendar.stalenessFor(request);
    if (milliseconds > 0) await delay(milliseconds + timerError);
  }

  /** Names the present state. A scheduled record that is due makes it another one. */
  async #state(): Promise<string> {
    const { freshness, replica } = this.#calendar;
    const state = stateOf(await freshness());
    replica.publishDue();
    return replica.publishedByClock().length > 0 ? `${state} due` : state;
  }

  async #present(request: CalendarRequest): Promise<ReadResult<ChangePage>> {
    const { replica, commit } = this.#calendar;
    let page = await this.#read(request);
    if (!page.result.freshness.stale && replica.publishedByClock().length > 0) {
      await commit(request, publishDue);
      page = await this.#read(request);
    }
    const { since, history, result } = page;
    mustContinue(since, history, result);
    return result;
  }

  async #read(request: CalendarRequest) {
    const { value, freshness } = await this.#calendar.readLatest(request, (context) => {
      const { since, history, per_page } = parseFilters(changeParameters, context);
      return { since, history, page: listChanges(since, per_page, context) };
    });
    const { since, history, page } = value;
    return { since, history, result: { value: page, freshness } };
  }
}

function stateOf({ history, version }: Freshness): string {
  return `${history} ${version}`;
}

/** Throws where the versions of a caller are not those of the calendar: what happened since is not known. */
function mustContinue(
  since: number,
  history: string | undefined,
  { value, freshness }: ReadResult<ChangePage>,
) {
  // An empty calendar has no history yet; what happens first continues it.
  const isOther = history !== undefined && history !== '' && history !== freshness.history;
  if (!isOther && since <= value.latest) return;
  if (freshness.stale) throw unavailable('list the changes', 'its storage does not answer');
  throw new CodedError(
    'changes-gone',
    isOther
      ? 'Cannot list the changes: the calendar was replaced. Start over without since and history.'
      : `Cannot list the changes: the calendar has no version ${since}; it was replaced. Start over without since and history.`,
  );
}
