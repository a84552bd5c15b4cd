/** The history of a record below its form: who has changed what, and putting a version back. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { Failure, useAttempt } from '../../common/browser/read.tsx';
import { language, word } from '../../common/browser/session.tsx';
import { Table } from '../../common/browser/table.tsx';
import { locales, timeOfText } from '../../common/views/when.ts';
import { isWord, type PageLanguage, type Word, words } from '../../common/views/words.ts';
import { confirmedField, forms, type Kind } from './edit-data.ts';
import type { EditedRecord } from './edit-state.ts';
import { readableOf } from './edit-views.tsx';
import {
  type FieldChange,
  readDifferences,
  readVersions,
  restoreVersion,
  type Version,
  type VersionDifferences,
} from './versions.ts';

interface HistoryProps {
  readonly edited: EditedRecord;
}

const timeFormat = new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'short' });

export function History({ edited }: HistoryProps) {
  const { kind, record, changes } = edited;
  const [isOpen, setOpen] = useState(false);
  const [found, setFound] = useState<{ readonly versions: readonly Version[]; readonly next?: string }>();
  const [chosen, choose] = useState<VersionDifferences>();
  const [leftOut, setLeftOut] = useState<readonly string[]>();
  const [failure, attempt, isBusy] = useAttempt();
  const outcome = useRef<HTMLDivElement>(null);
  const id = record?.value.id;
  const read = (next?: string) =>
    attempt(async () => {
      if (id === undefined) return;
      const page = await readVersions(kind, id, next);
      setFound((before) => ({
        ...page,
        versions: next === undefined ? page.versions : [...(before?.versions ?? []), ...page.versions],
      }));
    });
  useEffect(() => {
    if (isOpen) read();
  }, [isOpen, record?.etag]);
  if (record === undefined) return null;
  const put = async () => {
    if (chosen === undefined) return;
    const { value, missing } = await restoreVersion(kind, record, chosen.version);
    choose(undefined);
    setLeftOut(missing);
    edited.show(value, {});
    // The button that was pressed is gone.
    outcome.current?.focus();
  };
  const isChanged = Object.keys(changes).length > 0;
  return (
    <details class="history" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{word('history')}</summary>
      <div ref={outcome} role="status" tabIndex={-1}>
        {isBusy && <p class="muted">{word('reading')}</p>}
        {leftOut !== undefined && (
          <p class="ready">
            {word('restored')}{' '}
            {leftOut.length > 0 &&
              `${word('leftOut')} ${leftOut.map((name) => labelOf(kind, name)).join(', ')}.`}
          </p>
        )}
        <Failure error={failure} />
      </div>
      {chosen && (
        <Chosen
          kind={kind}
          version={chosen}
          isChanged={isChanged}
          isBusy={isBusy}
          restore={() => attempt(put)}
          close={() => choose(undefined)}
        />
      )}
      <ol class="versions">
        {found?.versions.map((version, index) => (
          <li key={version.version}>
            <p>
              <strong>{timeOfVersion(version)}</strong> {nameOf(version)}{' '}
              <kbd>{wordOfStatus(version.status)}</kbd>
            </p>
            <Changes kind={kind} changes={version.changes} />
            {index === 0 ? (
              <p class="muted">{word('presentVersion')}</p>
            ) : (
              <button
                type="button"
                class="outline"
                aria-label={`${word('restoreThis')}: ${timeOfVersion(version)}`}
                aria-disabled={isBusy}
                onClick={() =>
                  attempt(async () => {
                    setLeftOut(undefined);
                    choose(await readDifferences(kind, record.value.id, version.version));
                  })
                }
              >
                {word('restoreThis')}
              </button>
            )}
          </li>
        ))}
      </ol>
      {found?.next !== undefined && (
        <button type="button" class="outline" aria-disabled={isBusy} onClick={() => read(found.next)}>
          {word('showMore')}
        </button>
      )}
    </details>
  );
}

function Changes({
  kind,
  changes,
}: {
  readonly kind: Kind;
  readonly changes: readonly FieldChange[] | undefined;
}) {
  if (changes === undefined) return <p class="muted">{word('firstVersion')}</p>;
  if (changes.length === 0) return <p class="muted">{word('nothingChanged')}</p>;
  return <Table caption={word('changes')} isCaptionHidden rows={rowsOf(kind, changes)} />;
}

interface ChosenProps {
  readonly kind: Kind;
  readonly version: VersionDifferences;
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  readonly restore: () => void;
  readonly close: () => void;
}

/** What putting a version back would change, before it is done. */
function Chosen({ kind, version, isChanged, isBusy, restore, close }: ChosenProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), [version.version]);
  const { differences, left_out: leftOut } = version;
  const isSame = differences.length === 0;
  return (
    <section ref={section} class="preview" tabIndex={-1} aria-label={word('restoreThis')}>
      <h2>
        {word('restoreThis')}: {timeOfVersion(version)}
      </h2>
      {isSame ? (
        <p>{word('sameAsPresent')}</p>
      ) : (
        <Table caption={word('restoreChanges')} rows={rowsOf(kind, differences)} />
      )}
      {leftOut.length > 0 && (
        <p class="failing">
          {word('leftOut')} {leftOut.map((name) => labelOf(kind, name)).join(', ')}.
        </p>
      )}
      {isChanged && <p class="failing">{word('saveFirst')}</p>}
      <div class="buttons">
        {!isSame && !isChanged && (
          <button type="button" aria-disabled={isBusy} onClick={restore}>
            {word('restoreNow')}
          </button>
        )}
        <button type="button" class="outline" onClick={close}>
          {word('cancel')}
        </button>
      </div>
    </section>
  );
}

export function rowsOf(kind: Kind, changes: readonly FieldChange[]) {
  return changes.map(({ field, language: ofText, before, after }) => ({
    [word('field')]: labelIn(kind, field, ofText),
    [word('before')]: shown(kind, field, before),
    [word('after')]: shown(kind, field, after),
  }));
}

/** Returns the label of a field, with the language of its text. */
export function labelIn(kind: Kind, field: string, ofText: string | undefined): string {
  const label = labelOf(kind, field);
  return ofText === undefined ? label : `${label} (${words(ofText as PageLanguage)('ownName')})`;
}

function labelOf(kind: Kind, name: string): string {
  const label = forms[kind].find((field) => field.name === name)?.label;
  const own = `field_${name}`;
  return label ?? (isWord(own) ? word(own) : name);
}

/** Returns a value for reading. */
export function shown(kind: Kind, name: string, value: FieldChange['before']): string {
  if (value === null || value === '') return '–';
  if (name === confirmedField && Array.isArray(value))
    return value.map((text) => labelOf(kind, String(text))).join(', ');
  if (name === 'status') return wordOfStatus(String(value));
  const option = forms[kind]
    .find((field) => field.name === name)
    ?.options?.find(([option]) => option === value);
  return option?.[1] ?? readableOf(value);
}

const wordOfStatus = (status: string) => word(`status_${status}` as Word);

/** When a version was written, in the zone of the reader. */
const timeOfVersion = ({ written }: Pick<Version, 'written'>) => timeFormat.format(timeOfText(written));

function nameOf({ by }: Pick<Version, 'by'>): string {
  if (by === undefined) return '';
  return by.name ?? `${word('somebody')} (${by.id})`;
}
