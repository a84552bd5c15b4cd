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
export interface Shown<Stored, Schema extends TSchema = TSchema> {
  /** Returns what clients see; without it they see what is stored. */
  show?(stored: Stored | undefined, context: ShowContext): unknown;
  /** What the documents say of it, and the type of what is shown; without a schema it is not shown. */
  readonly schema?: Schema;
  /** Seen instead in an event that a password protects. */
  readonly hidden?: unknown;
}

/** Further keys that are shown of a field, by name. */
type ShownKeys<Stored> = Readonly<Record<string, Shown<Stored>>>;

interface FieldOptions<Value, Stored, Schema extends TSchema, Also> extends Shown<Stored, Schema> {
  /** Returns what to store; without it what was sent, or else what was stored before. */
  store?(value: Value | undefined, before: Stored | undefined, context: StoreContext): Stored | undefined;
  /** Whether 0 and false are stored and shown too, which are as good as absent otherwise. */
  readonly isKept?: boolean;
  /** Whether searching a list looks at it. */
  readonly isSearched?: boolean;
  /** Further keys that are shown of it. */
  readonly also?: Also;
}

/** A field of a record. `Stored` is never for what the record has not under the field's name; `Always` says whether every record has it. */
export interface Field<
  Value = unknown,
  Stored = unknown,
  Always extends boolean = boolean,
  Schema extends TSchema = TSchema,
  Also = ShownKeys<Stored>,
> extends FieldOptions<Value, Stored, Schema, Also> {
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

interface SentField<Value, Stored, Always extends boolean, Schema extends TSchema, Also>
  extends Field<Value, Stored, Always, Schema, Also> {
  readonly parameter: Parameter<Value>;
}

/** Creates a field that clients send, and that a record may lack. */
export function field<
  Value,
  Stored = Value,
  Schema extends TSchema = never,
  Also extends ShownKeys<Stored> = never,
>(
  parameter: Parameter<Value>,
  options: FieldOptions<Value, Stored, Schema, Also> = {},
): SentField<Value, Stored, false, Schema, Also> {
  return { parameter, ...options };
}

/** Creates a field that every record has, since 0 and false are kept. */
export function keptField<Value, Schema extends TSchema>(
  parameter: Parameter<Value> & { readonly default: Value },
  options: Omit<FieldOptions<Value, Value, Schema, never>, 'isKept'>,
): SentField<Value, Value, true, Schema, never> {
  return { parameter, isKept: true, ...options };
}

/** Creates a field that clients send, and whose stored value an operation computes together with other fields. */
export function computedField<
  Value,
  Stored = string,
  Schema extends TSchema = never,
  Also extends ShownKeys<Stored> = never,
>(
  parameter: Parameter<Value>,
  options: Omit<FieldOptions<Value, Stored, Schema, Also>, 'store'>,
): SentField<Value, Stored, true, Schema, Also> {
  return { parameter, isComputed: true, ...options };
}

/** Creates a field that an operation computes, and that clients do not send. */
export function derivedField<
  Stored = string,
  Schema extends TSchema = never,
  Also extends ShownKeys<Stored> = never,
>(
  options: Omit<FieldOptions<never, Stored, Schema, Also>, 'store'>,
): Field<never, Stored, true, Schema, Also> {
  return { isComputed: true, ...options };
}

/** Says of a field that an operation computes that not every record has it. */
export function sometimes<F extends Field>(
  always: F,
): Omit<F, 'types'> & { readonly types?: { readonly stored: StoredOf<F>; readonly always: false } } {
  const { types: _types, ...others } = always;
  return others;
}

/** Creates a text that may stand in several languages. */
export function textField<Schema extends TSchema>(
  parameter: Parameter<string>,
  options: Shown<string, Schema> & { readonly storedAs?: string },
): SentField<string, never, false, Schema, never> {
  return { parameter, isComputed: true, isTranslated: true, ...(options as Shown<never, Schema>) };
}

/** Creates a key that is shown, and neither sent nor stored under its name. */
export function shownField<Schema extends TSchema>(
  options: Shown<string, Schema> & Pick<Field, 'isJoined' | 'isTranslated'>,
): Field<never, never, false, Schema, never> {
  return { isComputed: true, ...(options as Shown<never, Schema>) };
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

/** The schemas of what is shown of a table's fields, by key. */
export type SchemasOf<Table> = OwnSchemas<Table> & FurtherSchemas<Table>;

type OwnSchemas<Table> = {
  [Name in keyof Table as [SchemaOf<Table[Name]>] extends [never] ? never : Name]: SchemaOf<Table[Name]>;
};
/** The schemas of the further keys of all fields. */
type FurtherSchemas<Table> = {
  [Further in FurtherOf<Table[keyof Table]> as keyof Further]: SchemaOf<Further[keyof Further]>;
};
type SchemaOf<F> = F extends { readonly schema?: infer Schema extends TSchema } ? Schema : never;
type FurtherOf<F> = F extends { readonly also?: infer Also } ? Also : never;
