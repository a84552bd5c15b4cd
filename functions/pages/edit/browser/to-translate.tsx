/** What the team has to translate: by language, what is older than its original first, then what is missing. */

import { useEffect, useState } from 'preact/hooks';
import { Failure, useAttempt } from '../../common/browser/read.tsx';
import { language, word } from '../../common/browser/session.tsx';
import { shortWhenOf } from '../../common/views/when.ts';
import { type PageLanguage, type Word, words } from '../../common/views/words.ts';
import { type Entry, hrefOf, type Kind, readEntries, textLanguages, titleOf } from './edit-data.ts';
import { languagesHash } from './languages.tsx';

interface ToTranslateProps {
  readonly list: Kind;
  readonly filters: Readonly<Record<string, string>>;
}

/** The records of a kind that need translators, by language. */
export function ToTranslate({ list, filters }: ToTranslateProps) {
  return textLanguages
    .filter(({ part, isOriginal }) => !isOriginal && part !== 'default')
    .flatMap(({ part, code }) =>
      (['older', 'missing'] as const).map((state) => (
        <Needs key={`${part}.${state}`} list={list} filters={filters} {...{ part, code, state }} />
      )),
    );
}

interface NeedsProps extends ToTranslateProps {
  readonly part: string;
  readonly code: PageLanguage;
  readonly state: 'older' | 'missing';
}

interface Found {
  readonly items: readonly Entry[];
  readonly read: number;
  readonly total: number;
  readonly page: number;
}

function Needs({ list, filters, part, code, state }: NeedsProps) {
  const [found, setFound] = useState<Found>();
  const [failure, attempt, isBusy] = useAttempt();
  const read = (page: number) =>
    attempt(async () => {
      const { items, total } = await readEntries(
        list,
        { ...filters, needs_translation: `${part}.${state}` },
        page,
      );
      setFound((before) => {
        const earlier = page === 1 ? undefined : before;
        const all = [...(earlier?.items ?? []), ...items];
        return { items: all, read: all.length, total, page };
      });
    });
  useEffect(() => read(1), []);
  const heading = `${words(code)('ownName')}: ${word(`text_${state}`)}`;
  return (
    <section aria-label={heading}>
      <h2>
        {heading} {found && `(${found.total})`}
      </h2>
      <Failure error={failure} />
      <ul class="entries">
        {firstOfSeries(found?.items ?? []).map(({ item, others }) => (
          <li key={item.id}>
            <div>
              <a href={hrefOf({ kind: list, id: String(item.id) }) + languagesHash}>{titleOf(list, item)}</a>{' '}
              <kbd>{word(`status_${item.status}` as Word)}</kbd>
              {'title' in item && (
                <p class="muted">
                  {shortWhenOf(item, language)} {others > 0 && `+ ${others} ${word('datesOfSeries')}`}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      {found && found.read < found.total && (
        <button type="button" class="outline" aria-disabled={isBusy} onClick={() => read(found.page + 1)}>
          {word('showMore')}
        </button>
      )}
    </section>
  );
}

interface FirstOfSeries {
  readonly item: Entry;
  /** How many other dates of its series need the same. */
  readonly others: number;
}

/** Returns records, and of a series the first date alone: a change of it can be made to all. */
function firstOfSeries(items: readonly Entry[]): readonly FirstOfSeries[] {
  const seriesOf = (item: Entry) => ('series' in item ? item.series?.id : undefined);
  return items.flatMap((item, index) => {
    const series = seriesOf(item);
    if (series === undefined) return { item, others: 0 };
    const isFirst = items.findIndex((other) => seriesOf(other) === series) === index;
    const dates = items.filter((other) => seriesOf(other) === series).length;
    return isFirst ? { item, others: dates - 1 } : [];
  });
}
