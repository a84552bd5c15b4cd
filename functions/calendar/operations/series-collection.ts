/** The series of a calendar: they are created and changed in steps, each of which any process goes on with. */

import { logFailure } from '../../../shared/telemetry/log.ts';
import type { CalendarRequest } from '../model/calendar-context.ts';
import { parseFilters } from '../model/fields/parameter.ts';
import type { Scope } from '../model/fields/series.ts';
import type { SeriesView } from '../model/fields/views.ts';
import type { EventRecord, SeriesRecord } from '../model/records.ts';
import { noSeries } from '../model/refusals.ts';
import { anonymous, mayWrite } from '../model/rights.ts';
import type { PasswordHash } from '../model/values.ts';
import { type Page, pageFrom, pagingParameters } from '../read/page.ts';
import type { ReadContext, ReadResult } from '../read/read-context.ts';
import { seriesSummary, seriesView, writtenSeriesView } from '../read/views/series-view.ts';
import type { EventEntry } from '../replica/entries.ts';
import { findPost, type RecordRef } from '../replica/find.ts';
import { isDue } from '../replica/series-set.ts';
import { creationOf } from '../write/idempotency.ts';
import type { SeriesPlan, SeriesRequest } from '../write/series.ts';
import type { Write } from '../write/write.ts';
import type { Committed, ReplicaSession } from './replica-session.ts';

export type { SeriesPlan };

/** A series as it is shown to a caller. */
export interface SeriesItem {
  readonly id: number;
  readonly version: number;
  readonly view: SeriesView;
}

/** A series that was written. */
export interface WrittenSeries extends SeriesItem, Omit<Committed<unknown>, 'result'> {}

/** Seconds after the last step of a change after which another process goes on with it: more than a request may take. */
const abandonedAfter = 15;

/** Expands rules, and so is loaded on first use. */
const writer = () => import('../write/series.ts');

export class SeriesCollection {
  readonly #session: ReplicaSession;
  readonly #hashPassword: (request: CalendarRequest) => Promise<PasswordHash | undefined>;
  #isResuming = false;

  constructor(
    session: ReplicaSession,
    hashPassword: (request: CalendarRequest) => Promise<PasswordHash | undefined>,
  ) {
    this.#session = session;
    this.#hashPassword = hashPassword;
    session.afterReads(() => this.#resumeAbandoned());
  }

  /** Lists the series of which the caller may read a date, the newest first. */
  list(request: CalendarRequest): Promise<ReadResult<Page<object>>> {
    return this.#session.read(request, (context) => {
      const entries = [...context.replica.series.values()].sort((a, b) => b.record.id - a.record.id);
      const items = entries.flatMap((entry) => seriesSummary(entry, context) ?? []);
      return pageFrom(items, parseFilters(pagingParameters, context));
    });
  }

  /** Reads a series. What was abandoned in the middle of a change is gone on with meanwhile. */
  read(id: number, request: CalendarRequest): Promise<ReadResult<SeriesItem>> {
    return this.#session.read(request, (context) => itemOf(id, context));
  }

  /** Tells the dates that a request would create, or those of a series after a change of its rule. */
  async plan(request: CalendarRequest, id?: number): Promise<SeriesPlan> {
    const { planChange, planSeries } = await writer();
    await this.#session.freshness();
    const context = this.#session.context(request);
    return id === undefined ? planSeries(context) : planChange(context, id);
  }

  /** Creates a series, and resolves once all of its events are there. */
  async create(request: CalendarRequest): Promise<WrittenSeries> {
    const passwordHash = await this.#hashPassword(request);
    const { createSeries } = await writer();
    const { idempotencyKey: _key, ...plain } = request;
    return this.#session.creations.run('series', request, async () => {
      const committed = await this.#session.commit(plain, isWriter(request), (write) => {
        const creation = creationOf({ ...write.context, idempotencyKey: request.idempotencyKey });
        return createSeries(write, { passwordHash, creation });
      });
      await this.#finish(committed.result, plain);
      return this.#answer(committed, request);
    });
  }

  /** Changes a series, and resolves once all of its events are changed. */
  async update(id: number, request: CalendarRequest): Promise<WrittenSeries> {
    const passwordHash = await this.#hashPassword(request);
    const { updateSeries } = await writer();
    const update = (write: Write, asked: SeriesRequest) =>
      updateSeries(write, id, { ...asked, passwordHash });
    return this.#answer(await this.#change(id, request, update), request);
  }

  /**
   * Makes a change of one event, and gives later dates of its series or all what that made of it; resolves once all are changed. The change
   * is decided on the newest state, once what is due to the series is done.
   */
  async spread(
    event: RecordRef,
    scope: Scope,
    request: CalendarRequest,
    change: (write: Write) => EventRecord,
  ): Promise<Committed<EventRecord>> {
    const { continueSeries, spreadChange } = await writer();
    for (;;) {
      const { result, ...committed } = await this.#session.commit(request, isWriter(request), (write) => {
        const entry = findPost('event', event, 'update', write.context).entry() as EventEntry;
        const series = write.context.replica.series.get(entry.record.series?.id ?? 0)?.record;
        if (series !== undefined && isDue(series) && isWriter(request)) {
          continueSeries(write, series.id);
          return undefined;
        }
        let record = entry.record;
        const after = spreadChange(write, entry, scope, (changing) => {
          record = change(changing);
          return record;
        });
        return { series: after, record };
      });
      if (result === undefined) continue;
      await this.#finish(result.series, request);
      return { ...committed, result: result.record };
    }
  }

  /** Takes dates of a series away, and resolves once all of their events are in the trash. */
  async delete(id: number, request: CalendarRequest): Promise<WrittenSeries> {
    const { deleteSeries } = await writer();
    const change = await this.#change(id, request, (write, asked) => deleteSeries(write, id, asked));
    return this.#answer(change, request);
  }

  /** Makes a change: begins it once the one before is done, and does all of it. */
  async #change(
    id: number,
    request: CalendarRequest,
    decide: (write: Write, asked: SeriesRequest) => SeriesRecord,
  ): Promise<Committed<SeriesRecord>> {
    const { continueSeries } = await writer();
    const { ifMatch, ifNoneMatch, ...plain } = request;
    for (;;) {
      const { result, ...committed } = await this.#session.commit(plain, isWriter(request), (write) => {
        const before = write.context.replica.series.get(id)?.record;
        if (before !== undefined && isDue(before) && isWriter(request)) {
          continueSeries(write, id);
          return undefined;
        }
        return decide(write, { ifMatch, ifNoneMatch });
      });
      if (result === undefined) continue;
      await this.#finish(result, plain);
      return { ...committed, result };
    }
  }

  /** Does what is still to be done to the events of a series, step by step. */
  async #finish(series: SeriesRecord, request: CalendarRequest): Promise<void> {
    const { continueSeries } = await writer();
    let present: SeriesRecord | undefined = series;
    while (present !== undefined && isDue(present))
      present = (await this.#session.commit(request, true, (write) => continueSeries(write, series.id)))
        .result;
  }

  /** Goes on with the changes of a process that has ended in the middle of them. Nobody waits for it. */
  #resumeAbandoned(): void {
    const { replica } = this.#session;
    if (this.#isResuming) return;
    const abandoned = replica.series.dueSince(this.#session.now(), abandonedAfter);
    if (abandoned.length === 0) return;
    this.#isResuming = true;
    // Who has made the change had the rights.
    const request: CalendarRequest = { caller: anonymous, parameters: {}, root: '', language: undefined };
    const resume = async () => {
      for (const series of abandoned) await this.#finish(series, request);
    };
    resume()
      .catch((error: unknown) => logFailure(undefined, error))
      .finally(() => {
        this.#isResuming = false;
      });
  }

  /** Shows a series to the caller who has changed it, also where no date is left that they may read. */
  #answer({ result: { id }, ...others }: Committed<SeriesRecord>, request: CalendarRequest): WrittenSeries {
    const context = this.#session.presentState(request);
    const entry = context.replica.series.get(id);
    if (entry === undefined) throw noSeries();
    return { ...others, id, version: entry.version, view: writtenSeriesView(entry, context) };
  }
}

const isWriter = ({ caller }: CalendarRequest) => mayWrite(caller, 'event');

function itemOf(id: number, context: ReadContext): SeriesItem {
  const entry = context.replica.series.get(id);
  const view = entry && seriesView(entry, context);
  if (entry === undefined || view === undefined) throw noSeries();
  return { id, version: entry.version, view };
}
