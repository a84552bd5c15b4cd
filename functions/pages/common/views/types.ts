/** Records as pages show them, the fields of forms, and what pages know when they show them. */

import type { ContactView, EventView, ImageView, TermView } from '../../../calendar/model/fields/views.ts';
import { countryIn } from './countries.ts';
import type { PageLanguage, Words } from './words.ts';

export type { ContactView, EventView, TermView };

interface WithTextLanguages {
  readonly text_languages?: EventView['text_languages'];
}

/** A picture: one of a record, or one that a form has of elsewhere. */
export type PictureView = Pick<ImageView, 'url'> & Partial<ImageView>;

/** Returns the `lang` of a text of a record; undefined for one in the language of the page. */
export function langOf(
  { text_languages: languages = {} }: WithTextLanguages,
  field: string,
  { language, textLanguage }: Pick<ViewContext, 'language' | 'textLanguage'>,
): PageLanguage | undefined {
  const textsLanguage = languages[field] ?? textLanguage;
  return textsLanguage === language ? undefined : textsLanguage;
}

/** Kinds of controls of a form. */
export type Control =
  | ('text' | 'url' | 'email' | 'tel' | 'password' | 'number' | 'check' | 'json' | 'day')
  | ('choice' | 'country' | 'date' | 'moment' | 'zone' | 'html' | 'picture' | 'terms' | 'names' | 'links')
  | ('rows' | 'repeat' | 'confirmed');

/** A field of a form. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly control: Control;
  readonly isRequired?: boolean;
  /** Whether it has a row of its own, since what is written there is long. */
  readonly isWide?: boolean;
  /** Whether it is outside of the fields that a form folds. */
  readonly isFirst?: boolean;
  /** The value of a new record that none is sent for, or the text of a value. */
  readonly initial?: unknown;
  /** Of a text in another language: the name of the field of the form whose text it is. */
  readonly translates?: string;
  /** The values of a choice, the first one that of a record without any, with their names. */
  readonly options?: readonly (readonly [value: string, text: string])[];
}

/** The context of a view on a page. */
export interface ViewContext {
  readonly site: string;
  readonly calendar: string | undefined;
  readonly language: PageLanguage;
  /** The query that keeps a language that was chosen; empty when the browser's decides. */
  readonly query: string;
  readonly word: Words;
  /** Code of the currency of prices that name none; empty for none. */
  readonly currency: string;
  /** Language of texts of which the record does not say it. */
  readonly textLanguage: PageLanguage;
  /** Returns the plain text of HTML. */
  readonly plain: (html: string) => string;
  /** The window of links that leave the page; undefined: the same one. */
  readonly target?: '_blank';
}

/** Returns the venues of an event, which the API shows as one, none or several. */
export function venuesOf({ venue }: Pick<EventView, 'venue'>): readonly ContactView[] {
  return [venue].flat() as readonly ContactView[];
}

/** Returns the picture of a record; undefined for a record without one. */
export function pictureOf({ image }: Partial<Pick<EventView, 'image'>>): PictureView | undefined {
  return typeof image === 'object' ? image : undefined;
}

/** Returns the address of a venue on one line, with the country in the language of the page. */
export function addressOf(
  { address, zip, city, stateprovince, country }: ContactView,
  { language, plain }: Pick<ViewContext, 'language' | 'plain'>,
): string {
  const town = [zip, city].filter(Boolean).join(' ');
  const parts = [address, town, stateprovince].map((part) => plain(part ?? ''));
  return [...parts, country && countryIn(plain(country), language)].filter(Boolean).join(', ');
}
