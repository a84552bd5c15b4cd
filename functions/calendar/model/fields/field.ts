/** Fields of records: one entry says what clients send, what is stored, what is shown, and what the documents say of it. */

import type { TSchema } from 'typebox';
import type { RawParameters } from '../calendar-context.ts';
import type { Site } from '../site.ts';
import type {
  ImageDetails,
  Language,
  Link,
  LinkedKind,
  PasswordHash,
  Status,
  StoredPicture,
  TermKind,
} from '../values.ts';
import type { Parameter } from './parameter.ts';

/** A link that was asked for: to a record that exists, or to one to be created of values. */
export type LinkRequest = { readonly id: number } | { readonly values: object };

/** A term that was asked for: by its id, slug or name; or by a name that may be a number. */
export type TermRequest = string | number | { readonly name: string };

/** What a field may need to be stored. */
export interface StoreContext {
  /** Hash of the password that was sent; absent when that is empty. */
  readonly passwordHash: PasswordHash | undefined;
  /** Returns the id of the image of a URL; the same URL is the same image. */
  imageOf(url: string): number;
  /** Returns the ids of terms by slug, name or id; unknown names are created. */
  termIds(kind: TermKind, items: readonly TermRequest[]): number[];
  /** Returns those ids whose terms still exist. */
  liveTermIds(ids: readonly number[]): number[];
  /** Returns links to records, which are created where that is asked for. */
  links(kind: LinkedKind, requests: readonly LinkRequest[]): Link[];
  /** Returns those links that still lead somewhere. */
  liveLinks(kind: LinkedKind, links: readonly Link[] | undefined): Link[];
}

/** What a field may need to be shown. */
export interface ShowContext {
  readonly record: RawParameters & { readonly id: number };
  /** The status that counts now. */
  readonly status: Status;
  readonly site: Site;
  /** URL of the API's root. */
  readonly root: string;
  /** URL of the record's page. */
  readonly page: string;
  readonly language: Language | undefined;
  image(
    id: number,
  ):
    | (ImageDetails & { readonly id: number; readonly url: string; readonly stored?: StoredPicture })
    | undefined;
  /** Returns the record as linked data, where that is asked for. */
  readonly linkedData?: (() => object) | undefined;
}

/** A key of a record's representation. */
export interface Shown<Stored> {
  /** Returns what clients see; without it they see what is stored. */
  show?(stored: Stored | undefined, context: ShowContext): unknown;
  /** What the documents say of it; without a schema it is not shown. */
  readonly schema?: TSchema;
  /** Seen instead in an event that a password protects. */
  readonly hidden?: unknown;
}

interface FieldOptions<Value, Stored> extends Shown<Stored> {
  /** Returns what to store; without it what was sent, or else what was stored before. */
  store?(value: Value | undefined, before: Stored | undefined, context: StoreContext): Stored | undefined;
  /** Whether 0 and false are stored and shown too, which are as good as absent otherwise. */
  readonly isKept?: boolean;
  /** Whether searching a list looks at it. */
  readonly isSearched?: boolean;
  /** Further keys that are shown of it. */
  readonly also?: Readonly<Record<string, Shown<Stored>>>;
}

/** A field of a record. `Stored` is never for what the record has not under the field's name; `Always` says whether every record has it. */
export interface Field<Value = unknown, Stored = unknown, Always extends boolean = boolean>
  extends FieldOptions<Value, Stored> {
  readonly parameter?: Parameter<Value>;
  /** Name in the record, where that is another. */
  readonly storedAs?: string;
  /** Set for a text that may stand in several languages. */
  readonly isTranslated?: boolean;
  /** Set when an operation computes what is stored, or nothing is. */
  readonly isComputed?: boolean;
  /** Set when its text is joined from those of other records. */
  readonly isJoined?: boolean;
  /** For the compiler alone. */
  readonly types?: { readonly stored: Stored; readonly always: Always };
}

export type FieldTable = Readonly<Record<string, Field>>;

interface SentField<Value, Stored, Always extends boolean> extends Field<Value, Stored, Always> {
  readonly parameter: Parameter<Value>;
}

/** Creates a field that clients send, and that a record may lack. */
export function field<Value, Stored = Value>(
  parameter: Parameter<Value>,
  options: FieldOptions<Value, Stored> = {},
): SentField<Value, Stored, false> {
  return { parameter, ...options };
}

/** Creates a field that every record has, since 0 and false are kept. */
export function keptField<Value>(
  parameter: Parameter<Value> & { readonly default: Value },
  options: Omit<FieldOptions<Value, Value>, 'isKept'>,
): SentField<Value, Value, true> {
  return { parameter, isKept: true, ...options };
}

/** Creates a field that clients send, and whose stored value an operation computes together with other fields. */
export function computedField<Value, Stored = string, Always extends boolean = true>(
  parameter: Parameter<Value>,
  options: Omit<FieldOptions<Value, Stored>, 'store'>,
): SentField<Value, Stored, Always> {
  return { parameter, isComputed: true, ...options };
}

/** Creates a field that an operation computes, and that clients do not send. */
export function derivedField<Stored = string, Always extends boolean = true>(
  options: Omit<FieldOptions<never, Stored>, 'store'>,
): Field<never, Stored, Always> {
  return { isComputed: true, ...options };
}

/** Creates a text that may stand in several languages. */
export function textField(
  parameter: Parameter<string>,
  options: Shown<string> & { readonly storedAs?: string },
): SentField<string, never, false> {
  return { parameter, isComputed: true, isTranslated: true, ...(options as Shown<never>) };
}

/** Creates a key that is shown, and neither sent nor stored under its name. */
export function shownField(
  options: Shown<string> & Pick<Field, 'isJoined' | 'isTranslated'>,
): Field<never, never, false> {
  return { isComputed: true, ...(options as Shown<never>) };
}

/** The stored fields of a table, as a record has them. */
export type StoredFields<Table> = {
  readonly [Name in StoredNames<Table, true>]: StoredOf<Table[Name]>;
} & {
  readonly [Name in StoredNames<Table, false>]?: StoredOf<Table[Name]>;
};

type StoredNames<Table, Always extends boolean> = {
  [Name in keyof Table]: Table[Name] extends { readonly types?: { readonly always: Always } }
    ? [StoredOf<Table[Name]>] extends [never]
      ? never
      : Name
    : never;
}[keyof Table];
type StoredOf<F> = F extends { readonly types?: { readonly stored: infer Stored } } ? Stored : never;

/** The parameters of a table's fields. */
export type ParametersOf<Table> = {
  readonly [Name in keyof Table as Table[Name] extends { readonly parameter: object }
    ? Name
    : never]: Table[Name] extends { readonly parameter: infer P } ? P : never;
};
