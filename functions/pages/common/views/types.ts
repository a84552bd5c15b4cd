/** Events, venues, organizers and terms as the API shows them, and what pages know when they show them. */

import type { EventStatus } from '../../../calendar/model/for-browsers/event-status.ts';
import { countryIn } from './countries.ts';
import type { PageLanguage, Words } from './words.ts';

type Texts<Name extends string> = Readonly<Record<Name, string>>;
type ContactText = 'venue' | 'organizer' | 'description' | 'phone' | 'website' | 'email';
type AddressPart = 'address' | 'zip' | 'city' | 'stateprovince' | 'country';
type EventDate = 'start_date' | 'end_date' | 'utc_start_date' | 'utc_end_date' | 'timezone' | 'timezone_abbr';

interface WithTextLanguages {
  /** Languages of texts by field, as far as they are known. */
  readonly text_languages?: Readonly<Record<string, PageLanguage>>;
}

/** Returns the `lang` of a text of a record; undefined for one in the language of the page. */
export function langOf(
  { text_languages: languages = {} }: WithTextLanguages,
  field: string,
  { language, textLanguage }: Pick<ViewContext, 'language' | 'textLanguage'>,
): PageLanguage | undefined {
  const textsLanguage = languages[field] ?? textLanguage;
  return textsLanguage === language ? undefined : textsLanguage;
}

export interface TermView extends Texts<'name' | 'slug'>, WithTextLanguages {
  readonly id: number;
  readonly parent?: number;
  /** Colour of a category, `#rrggbb`. */
  readonly color?: string;
}

interface PictureSize {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
}

export interface PictureView extends PictureSize {
  readonly id?: number;
  readonly alt?: string;
  readonly credit?: string;
  readonly license?: string;
  readonly sizes?: Readonly<Record<string, PictureSize>>;
}

/** A venue or organizer as the API shows it, which leaves out what one has not. */
export interface ContactView
  extends Texts<'slug' | 'url' | 'status' | 'author'>,
    Partial<Texts<ContactText | AddressPart>>,
    WithTextLanguages {
  readonly id: number;
  /** What was said of a draft as it was sent back. */
  readonly review_note?: string;
  /** Since when it waits for review, in UTC. */
  readonly submitted_utc?: string;
  /** Texts as they are edited; only where one record is read to be edited. */
  readonly raw?: Readonly<Record<string, string>>;
  readonly image?: PictureView | boolean;
  /** Only where one record is read. */
  readonly json_ld?: Texts<'name' | 'description'>;
  readonly geo_lat?: number;
  readonly geo_lng?: number;
  readonly show_map?: boolean;
  readonly show_map_link?: boolean;
}

export interface EventView
  extends Omit<ContactView, 'venue' | 'organizer'>,
    Texts<'title' | 'cost' | 'excerpt' | 'modified_utc' | EventDate> {
  readonly cost_details?: Texts<'currency_code'>;
  /** Where people register, or buy tickets. */
  readonly registration_url?: string;
  /** Of an event that does not take place as announced. */
  readonly event_status?: Exclude<EventStatus, 'scheduled'>;
  readonly event_status_reason?: string;
  readonly all_day: boolean | null;
  /** Only of a date of a series. */
  readonly series?: { readonly id: number; readonly recurrence_id: string };
  readonly categories: readonly TermView[];
  readonly tags: readonly TermView[];
  /** One venue, none or several. */
  readonly venue: ContactView | readonly ContactView[];
  readonly organizer: readonly ContactView[];
}

/** Kinds of controls of a form. */
export type Control =
  | ('text' | 'url' | 'email' | 'tel' | 'password' | 'number' | 'check' | 'json' | 'day')
  | ('choice' | 'country' | 'date' | 'moment' | 'zone' | 'html' | 'picture' | 'terms' | 'names' | 'links')
  | ('rows' | 'repeat');

/** A field of a form. */
export interface FormField extends Texts<'name' | 'label'> {
  readonly control: Control;
  readonly isRequired?: boolean;
  /** Whether it has a row of its own, since what is written there is long. */
  readonly isWide?: boolean;
  /** Whether it is outside of the fields that a form folds. */
  readonly isFirst?: boolean;
  /** The value of a new record that none is sent for, or the text of a value. */
  readonly initial?: unknown;
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
export function pictureOf({ image }: Pick<ContactView, 'image'>): PictureView | undefined {
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
