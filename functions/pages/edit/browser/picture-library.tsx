/** The stored pictures: one to choose, and the texts of a chosen one. */

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type Answer, send } from '../../common/browser/api-client.ts';
import { plain } from '../../common/browser/lists.ts';
import { Failure, useAttempt } from '../../common/browser/read.tsx';
import { calendar, word } from '../../common/browser/session.tsx';
import type { PictureView } from '../../common/views/types.ts';
import type { Word } from '../../common/views/words.ts';

/** A picture as the library has it. */
interface StoredPicture {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly alt_text: string;
  readonly credit: string;
  readonly license: string;
  readonly sizes: Readonly<Record<string, { readonly url: string }>>;
}

interface Page {
  readonly pictures: readonly StoredPicture[];
  readonly total: number;
}

/** Returns a picture as records show it. */
const viewOf = ({ id, url, alt_text: alt, credit, license }: StoredPicture): PictureView => ({
  id,
  url,
  alt: plain(alt),
  credit,
  license,
});

interface LibraryProps {
  readonly choose: (picture: PictureView) => void;
  readonly close: () => void;
}

/** Pictures of a page. */
const perPage = 24;

/** A dialog with the pictures that the person may see, the latest first, by words in their texts. */
export function PictureLibrary({ choose, close }: LibraryProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [search, setSearch] = useState('');
  const [asked, ask] = useState({ search: '', page: 1 });
  const [found, setFound] = useState<Page>();
  const [failure, setFailure] = useState<Error>();
  useEffect(() => dialog.current?.showModal(), []);
  // What was asked last counts, whichever answer comes first.
  useEffect(() => {
    let isLast = true;
    const { page } = asked;
    const words = asked.search === '' ? {} : { search: asked.search };
    const query = new URLSearchParams({ per_page: String(perPage), page: String(page), ...words });
    send<Page>(`${calendar}/pictures?${query}`).then(({ value }) => {
      if (!isLast) return;
      setFailure(undefined);
      setFound((before) => ({
        total: value.total,
        pictures: page === 1 ? value.pictures : [...(before?.pictures ?? []), ...value.pictures],
      }));
    }, setFailure);
    return () => {
      isLast = false;
    };
  }, [asked]);
  const askAnew = () => ask({ search: search.trim(), page: 1 });
  const take = (picture: StoredPicture) => {
    choose(viewOf(picture));
    dialog.current?.close();
  };
  return (
    <dialog ref={dialog} class="preview" aria-label={word('fromLibrary')} onClose={close}>
      <button type="button" class="outline" onClick={() => dialog.current?.close()}>
        {word('close')}
      </button>
      <search>
        <div class="search">
          <input
            type="search"
            value={search}
            aria-label={word('searchPictures')}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // The form of the record is around the dialog.
              event.preventDefault();
              askAnew();
            }}
          />
          <button type="button" onClick={askAnew}>
            {word('search')}
          </button>
        </div>
      </search>
      <Failure error={failure} />
      <p class="muted" role="status">
        {found && (found.total === 0 ? word('nothing') : `${found.pictures.length} / ${found.total}`)}
      </p>
      <ul class="pictures">
        {found?.pictures.map((picture) => {
          const text = plain(picture.alt_text) || plain(picture.title);
          return (
            <li key={picture.id}>
              <button type="button" class="outline" onClick={() => take(picture)}>
                <img src={picture.sizes['medium']?.url ?? picture.url} alt="" loading="lazy" />
                {text}
              </button>
            </li>
          );
        })}
      </ul>
      {found && found.pictures.length < found.total && (
        <button type="button" class="outline" onClick={() => ask({ ...asked, page: asked.page + 1 })}>
          {word('showMore')}
        </button>
      )}
    </dialog>
  );
}

const textFields: readonly (readonly ['alt_text' | 'credit' | 'license', Word])[] = [
  ['alt_text', 'altText'],
  ['credit', 'credit'],
  ['license', 'license'],
];
type Texts = Readonly<Record<(typeof textFields)[number][0], string>>;

interface PictureTextsProps {
  readonly id: number;
  readonly set: (picture: PictureView) => void;
}

/** The texts of a stored picture, which all records that show it share. */
export function PictureTexts({ id, set }: PictureTextsProps) {
  const name = useId();
  const [isOpen, setOpen] = useState(false);
  const [stored, setStored] = useState<Answer<StoredPicture>>();
  const [texts, setTexts] = useState<Texts>();
  const [isSaved, setSaved] = useState(false);
  const [failure, attempt, isBusy] = useAttempt();
  const path = `${calendar}/pictures/${id}`;
  const show = (answer: Answer<StoredPicture>) => {
    const { alt_text, credit, license } = answer.value;
    setStored(answer);
    setTexts({ alt_text: plain(alt_text), credit: plain(credit), license: plain(license) });
  };
  useEffect(() => {
    if (isOpen && stored === undefined) attempt(async () => show(await send<StoredPicture>(path)));
  }, [isOpen]);
  const save = () =>
    attempt(async () => {
      const headers = { 'If-Match': stored?.etag ?? '' };
      await send(path, { method: 'PATCH', body: JSON.stringify(texts), headers });
      const answer = await send<StoredPicture>(path);
      show(answer);
      set(viewOf(answer.value));
      setSaved(true);
    });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{word('pictureTexts')}</summary>
      {texts &&
        textFields.map(([field, label]) => (
          <div key={field}>
            <label for={`${name}-${field}`}>{word(label)}</label>
            <input
              id={`${name}-${field}`}
              value={texts[field]}
              maxLength={250}
              autocomplete="off"
              onInput={({ currentTarget }) => {
                setSaved(false);
                setTexts({ ...texts, [field]: currentTarget.value });
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                save();
              }}
            />
          </div>
        ))}
      <div role="status">
        {isSaved && <p class="ready">{word('saved')}</p>}
        <Failure error={failure} />
      </div>
      {texts && (
        <button type="button" class="outline" aria-disabled={isBusy} onClick={save}>
          {word('savePictureTexts')}
        </button>
      )}
    </details>
  );
}
