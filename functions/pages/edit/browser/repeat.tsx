/** The field of a form that repeats an event: the rule, and the dates before they are stored. */

import { useEffect, useState } from 'preact/hooks';
import { FieldErrors, send } from '../../common/browser/api-client.ts';
import type { ControlProps, Values } from '../../common/browser/fields.tsx';
import { Failure } from '../../common/browser/read.tsx';
import { language, word } from '../../common/browser/session.tsx';
import { Select } from '../../common/views/controls.tsx';
import { capital, everyOf, repetitionOf, ruleInWords, weekdayName } from '../../common/views/repetition.ts';
import { dateOf } from '../../common/views/when.ts';
import { hrefOf } from './edit-data.ts';
import {
  isLastOfItsKind,
  newRepeat,
  type Plan,
  type PlannedDate,
  placeOf,
  type Repeat,
  type RepeatValue,
  readSeries,
  repeatOf,
  ruleOf,
  rulesOf,
  type SeriesView,
  seriesPath,
} from './series.ts';

const units = ['week', 'month', 'year', 'dates'] as const;
const intervals = [1, 2, 3, 4];
const numbers = [0, 1, 2, 3, 4, 5, 6];

export function RepeatControl({ value, set, values, attributes }: ControlProps) {
  const { series: link, repeat } = (value ?? {}) as RepeatValue;
  const series = useSeries(link?.id);
  const start = link?.recurrence_id ?? String(values['start_date']).slice(0, 10);
  const change = (next: Repeat | undefined) =>
    set(next === undefined ? undefined : { ...(link === undefined ? {} : { series: link }), repeat: next });
  if (link !== undefined && repeat === undefined)
    return (
      <>
        {series && <SeriesSummary series={series} recurrence={link.recurrence_id} />}
        {series && (
          <button
            {...attributes}
            type="button"
            class="outline"
            onClick={() => change(repeatOf(series, link.recurrence_id))}
          >
            {word('changeDates')}
          </button>
        )}
      </>
    );
  return (
    <>
      <select
        {...attributes}
        aria-label={word('field_repeat')}
        value={repeat?.unit ?? ''}
        onChange={({ currentTarget }) => {
          const unit = units.find((name) => name === currentTarget.value);
          change(unit === undefined ? undefined : { ...newRepeat(unit, start), ...carried(repeat), unit });
        }}
      >
        <option value="">{word(link === undefined ? 'repeatNever' : 'keepDates')}</option>
        {units.map((unit) => (
          <option key={unit} value={unit}>
            {word(`repeat_${unit}`)}
          </option>
        ))}
      </select>
      {repeat && <RepeatFields repeat={repeat} change={change} start={start} values={values} series={link} />}
    </>
  );
}

/** What stays when another unit is chosen. */
function carried(repeat: Repeat | undefined): Partial<Repeat> {
  if (repeat === undefined) return {};
  const { ends, until, count } = repeat;
  return { ends, until, count };
}

/** Reads a series; undefined until it was read, and where it cannot be. */
export function useSeries(id: number | undefined): SeriesView | undefined {
  const [series, setSeries] = useState<SeriesView>();
  useEffect(() => {
    if (id !== undefined) readSeries(id).then(setSeries, () => setSeries(undefined));
  }, [id]);
  return series;
}

/** How the series of an event repeats, with its other dates. */
function SeriesSummary({ series, recurrence }: { readonly series: SeriesView; readonly recurrence: string }) {
  const { dates } = series;
  const place = dates.findIndex(({ recurrence_id }) => recurrence_id === recurrence);
  const around = dates.slice(Math.max(0, place - 3), place + 9);
  return (
    <div>
      <p>
        {capital(repetitionOf(series, language))} ({dates.length} {word('dates')}).
      </p>
      <ul class="series-dates">
        {around.map(({ event, recurrence_id, start_date, changed = [], status }) => (
          <li key={event}>
            {recurrence_id === recurrence ? (
              <strong aria-current="true">{dateOf(start_date, language, 'short')}</strong>
            ) : (
              <a href={hrefOf({ kind: 'event', id: String(event) })}>
                {dateOf(start_date, language, 'short')}
              </a>
            )}
            {status === 'trash' && <small class="muted"> {word('status_trash')}</small>}
            {status !== 'trash' && changed.length > 0 && <small class="muted"> {word('changedAlone')}</small>}
          </li>
        ))}
        {place + 9 < dates.length && <li>…</li>}
      </ul>
    </div>
  );
}

interface RepeatProps {
  readonly repeat: Repeat;
  readonly change: (repeat: Repeat | undefined) => void;
  /** The day of the event, `2027-01-05`; empty while it is not chosen. */
  readonly start: string;
  readonly values: Values;
  readonly series: RepeatValue['series'];
}

function RepeatFields(props: RepeatProps) {
  const { repeat, change, start, series } = props;
  const { unit, interval, ends, until, count, by } = repeat;
  const edit = (part: Partial<Repeat>) => change({ ...repeat, ...part });
  // The day may be chosen after the repetition: then its weekday is meant.
  useEffect(() => {
    if (unit === 'week' && repeat.weekdays.length === 0 && start !== '') edit(newRepeat('week', start));
  }, [start]);
  const ruled = { shift: 0, rule_start: start };
  const bys = (['day', 'weekday', 'last'] as const).filter(
    (name) => name === 'day' || (name === 'last' ? isLastOfItsKind(start) : placeOf(start) < 5),
  );
  return (
    <div>
      {series && <p class="muted">{word('fromThisDate')}</p>}
      {unit !== 'dates' && (
        <Select
          label={word('repeatEvery')}
          value={interval}
          options={intervals.map((number) => [number, everyOf(unit, number, language)])}
          onChange={({ currentTarget }) => edit({ interval: Number(currentTarget.value) })}
        />
      )}
      {unit === 'week' && (
        <fieldset class="weekdays">
          <legend>{word('repeatOn')}</legend>
          {numbers.map((number) => (
            <label key={number}>
              <input
                type="checkbox"
                checked={repeat.weekdays.includes(number)}
                onChange={({ currentTarget: { checked } }) =>
                  edit({
                    weekdays: checked
                      ? [...repeat.weekdays, number]
                      : repeat.weekdays.filter((other) => other !== number),
                  })
                }
              />
              {weekdayName(number, language)}
            </label>
          ))}
        </fieldset>
      )}
      {unit === 'month' && start !== '' && (
        <Select
          label={word('repeatOn')}
          value={by}
          options={bys.map((name) => [
            name,
            ruleInWords({ rrule: ruleOf({ ...repeat, by: name }, start), ...ruled }, language) ?? name,
          ])}
          onChange={({ currentTarget }) => edit({ by: currentTarget.value as Repeat['by'] })}
        />
      )}
      {unit !== 'dates' && (
        <div class="ends">
          <Select
            label={word('repeatEnds')}
            value={ends}
            options={[
              ['until', word('endsUntil')],
              ['count', word('endsCount')],
            ]}
            onChange={({ currentTarget }) => edit({ ends: currentTarget.value as Repeat['ends'] })}
          />
          {ends === 'until' ? (
            <label>
              {word('lastDay')}
              <input
                type="date"
                required
                value={until}
                min={start}
                onInput={({ currentTarget }) => edit({ until: currentTarget.value })}
              />
            </label>
          ) : (
            <label>
              {word('numberOfDates')}
              <input
                type="number"
                required
                min={1}
                max={500}
                value={count}
                onInput={({ currentTarget }) => edit({ count: Number(currentTarget.value) })}
              />
            </label>
          )}
        </div>
      )}
      <AddDate
        add={(day) =>
          edit({ dates: [...new Set([...repeat.dates, day])].sort(), except: without(repeat.except, day) })
        }
      />
      <Dates {...props} edit={edit} />
    </div>
  );
}

const without = (days: readonly string[], day: string) => days.filter((other) => other !== day);

/** A day to add to the dates. The enter key adds it, and does not send the form. */
function AddDate({ add }: { readonly add: (day: string) => void }) {
  const [day, setDay] = useState('');
  const take = () => {
    if (day === '') return;
    add(day);
    setDay('');
  };
  return (
    <div class="add-date">
      <label>
        {word('addDate')}
        <input
          type="date"
          value={day}
          onInput={({ currentTarget }) => setDay(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            take();
          }}
        />
      </label>
      <button type="button" class="outline" aria-disabled={day === ''} onClick={take}>
        {word('addIt')}
      </button>
    </div>
  );
}

/** Milliseconds without a change after which the dates are asked for. */
const pause = 250;

/** The dates that the repetition makes, as the calendar tells them. */
function Dates({
  repeat,
  start,
  values,
  series,
  edit,
}: RepeatProps & { readonly edit: (part: Partial<Repeat>) => void }) {
  const rules = rulesOf(repeat, start);
  const { start_date, end_date, timezone, all_day } = values;
  const asked =
    rules === undefined || !/^[12]\d{3}-/.test(String(start_date))
      ? undefined
      : JSON.stringify({
          ...rules,
          ...(series === undefined
            ? { start_date: timeIn(start_date), end_date: timeIn(end_date || start_date), timezone, all_day }
            : { scope: 'later' }),
          dry_run: true,
        });
  const [plan, setPlan] = useState<Plan | Error>();
  useEffect(() => {
    if (asked === undefined) return setPlan(undefined);
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const body =
        series === undefined ? asked : JSON.stringify({ ...JSON.parse(asked), event: await eventOf(series) });
      const found = await send<Plan>(seriesPath(series?.id), { method: 'POST', body }).then(
        ({ value }) => value,
        (error: Error) => error,
      );
      if (isCurrent) setPlan(found);
    }, pause);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [asked]);
  if (start === '') return <p class="muted">{word('repeatNeedsStart')}</p>;
  return (
    <>
      <p class="muted">{word('seriesHorizon')}</p>
      <div role="status">
        {plan instanceof Error && <Failure error={refusalOf(plan)} />}
        {plan !== undefined && !(plan instanceof Error) && (
          <p>
            <strong>
              {plan.total} {word('dates')}
            </strong>
            {plan.missing.length > 0 && `. ${word('noSuchDay')} ${plan.missing.map(missingText).join(', ')}.`}
          </p>
        )}
      </div>
      {plan !== undefined && !(plan instanceof Error) && (
        <DateList plan={plan} except={repeat.except} edit={edit} repeat={repeat} start={start} />
      )}
    </>
  );
}

/** Rules of the form are well formed: what can be wrong with one is that it has no date. */
function refusalOf(error: Error): Error {
  const hasNoDates = error instanceof FieldErrors && error.names.includes('rrule');
  return hasNoDates ? new Error(word('repeatNoDates')) : error;
}

const timeIn = (value: unknown) => String(value).slice(0, 16).replace('T', ' ');

/** Returns the id of the event of a day of a series. */
async function eventOf({
  id,
  recurrence_id,
}: NonNullable<RepeatValue['series']>): Promise<number | undefined> {
  return (await readSeries(id)).dates.find((date) => date.recurrence_id === recurrence_id)?.event;
}

/** Says a day that there is not, `2027-02-31`, or a month, `2027-02`. */
function missingText(text: string): string {
  const [year = '', month = '', day] = text.split('-');
  const first = new Date(`${year}-${month}-01T00:00:00Z`);
  const name = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    first,
  );
  return day === undefined ? name : `${Number(day)}${language === 'da' ? '.' : ''} ${name}`;
}

interface DateListProps {
  readonly plan: Plan;
  readonly except: readonly string[];
  readonly repeat: Repeat;
  readonly start: string;
  readonly edit: (part: Partial<Repeat>) => void;
}

/** Dates that stand below each other; more are scrolled. */
const maxInSight = 60;

/** Dates with a button each that leaves it out, or takes it in again. */
function DateList({ plan, except, repeat, start, edit }: DateListProps) {
  const left = except.map((recurrence_id) => ({
    recurrence_id,
    start_date: recurrence_id,
    change: 'left' as const,
  }));
  const all: readonly (PlannedDate | (typeof left)[number])[] = [...plan.dates, ...left].sort((one, other) =>
    one.start_date < other.start_date ? -1 : 1,
  );
  const leaveOut = (day: string) =>
    repeat.dates.includes(day)
      ? edit({ dates: without(repeat.dates, day) })
      : edit({ except: [...except, day].sort() });
  return (
    <ul class={all.length > maxInSight ? 'series-dates long' : 'series-dates'} aria-label={word('dates')}>
      {all.map((date) => {
        const { recurrence_id: day, start_date, change } = date;
        const isIn = change === 'added' || change === 'kept';
        const text = dateOf(start_date, language, 'short');
        const mayLeave = repeat.unit !== 'dates' || repeat.dates.includes(day);
        return (
          <li key={day}>
            {isIn ? text : <s>{text}</s>}
            {'odd' in date && date.odd !== undefined && (
              <small class="failing">
                {' '}
                {word(`odd_${date.odd}`)} {date.odd === 'skipped-time' && start_date.slice(11, 16)}
              </small>
            )}
            {change === 'removed' && <small class="failing"> {word('dateRemoved')}</small>}
            {change !== 'removed' && day !== start && mayLeave && (
              <button
                type="button"
                class="outline secondary"
                aria-label={`${word(isIn ? 'leaveOut' : 'takeIn')}: ${text}`}
                onClick={() => (isIn ? leaveOut(day) : edit({ except: without(except, day) }))}
              >
                {word(isIn ? 'leaveOut' : 'takeIn')}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
