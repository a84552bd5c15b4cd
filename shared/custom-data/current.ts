/** What is sent compared with what the sources give now: a value that was read may always be sent back. */

import type { FieldError } from '../errors.ts';
import { createTurns } from '../limits/turns.ts';
import { jsonPointer } from './body.ts';
import { jsonElements, jsonMembers } from './members.ts';
import { comparableForm, objectForm } from './same-value.ts';
import { type SetCall, setProcedure } from './set-calls.ts';
import type { SourceValues } from './sources/source-values.ts';

/** The current values of sources by identifier, as JSON text, and their columns of texts. */
export type CurrentValues = Pick<SourceValues, 'values' | 'texts'>;

/** The value of one identifier, in forms that are equal where values are the same. */
interface ComparedValue {
  readonly whole: string;
  /** Forms of its rows: of the elements of an array, else of the value alone. */
  readonly rows: ReadonlySet<string>;
  /** Forms of the properties of each row that is an object. */
  readonly cells: readonly ReadonlyMap<string, string>[];
  /** Which of `cells` have a property with a form, by both. */
  readonly having: ReadonlyMap<string, readonly number[]>;
}

/** Compares what is sent with the current values as clients see them: a program that reads numbers as doubles, and moments as such, sends back what it read. Each value is looked at once, however many rows are compared with it. */
export class Comparison {
  readonly #current: CurrentValues;
  readonly #compared = new Map<string, Promise<ComparedValue>>();

  constructor(current: CurrentValues) {
    this.#current = current;
  }

  /** Checks whether a value that is sent equals the current one. */
  async isCurrent(identifier: string, text: string): Promise<boolean> {
    const { whole } = await this.#of(identifier);
    return whole === (await wholeForm(text, this.#texts(identifier)));
  }

  /** Checks whether what a call passes is there now: as the value of its identifier, or as one of its rows. */
  async passesCurrent({ identifier, source }: SetCall): Promise<boolean> {
    const { whole, rows } = await this.#of(identifier);
    const form = await wholeForm(source, this.#texts(identifier));
    return rows.has(form) || whole === form;
  }

  /** Returns the errors of a call that cannot be made: none when it passes what is there now, or when the properties without a parameter are those of a current row. */
  async errorsOf(call: SetCall): Promise<readonly FieldError[]> {
    if (call.unknown.length === 0 && call.errors.length === 0) return [];
    if (await this.passesCurrent(call)) return [];
    if (call.unknown.length === 0 || (await this.#isOfRow(call))) return call.errors;
    const unknown = call.unknown.map(({ name }) => ({
      pointer: call.pointer + jsonPointer(name),
      detail: `is not a parameter of ${setProcedure(call.identifier)}, and not the current value`,
    }));
    return [...unknown, ...call.errors];
  }

  /** Checks whether one row has all properties that no parameter takes, as they are sent: only rows that have the rarest of them are looked at. */
  async #isOfRow({ identifier, unknown }: SetCall): Promise<boolean> {
    const { cells, having } = await this.#of(identifier);
    const texts = this.#texts(identifier);
    const properties = unknown.map(({ name, text }) => ({ name, form: cellForm(name, text, texts) }));
    const rowsHaving = properties.map(({ name, form }) => having.get(keyOf(name, form)) ?? []);
    const [rarest = []] = rowsHaving.toSorted((a, b) => a.length - b.length);
    return rarest.some((row) => properties.every(({ name, form }) => cells[row]?.get(name) === form));
  }

  #of(identifier: string): Promise<ComparedValue> {
    const compared =
      this.#compared.get(identifier) ??
      compare((this.#current.values.get(identifier) ?? 'null').trim(), this.#texts(identifier));
    this.#compared.set(identifier, compared);
    return compared;
  }

  #texts(identifier: string): ReadonlySet<string> {
    return this.#current.texts.get(identifier) ?? new Set();
  }
}

async function compare(text: string, texts: ReadonlySet<string>): Promise<ComparedValue> {
  const turns = createTurns();
  const cells: Map<string, string>[] = [];
  const having = new Map<string, number[]>();
  const isArray = text.startsWith('[');
  const rowForms: string[] = [];
  for (const row of isArray ? jsonElements(text) : [text]) {
    if (!row.startsWith('{')) rowForms.push(formOf(row));
    if (row.startsWith('{')) {
      const forms = cellForms(row, texts);
      for (const [name, form] of forms) {
        const key = keyOf(name, form);
        const found = having.get(key);
        if (found === undefined) having.set(key, [cells.length]);
        else found.push(cells.length);
      }
      cells.push(forms);
      rowForms.push(objectForm(forms));
    }
    await turns.next();
  }
  return {
    whole: isArray ? arrayForm(rowForms) : (rowForms[0] ?? emptyForm),
    rows: new Set(rowForms),
    cells,
    having,
  };
}

function keyOf(name: string, form: string): string {
  return `${JSON.stringify(name)}:${form}`;
}

function formOf(text: string): string {
  return comparableForm(JSON.parse(text));
}

/** Returns the form of a value of a column: a text of a column of texts is no moment and no GUID. */
function cellForm(name: string, text: string, texts: ReadonlySet<string>): string {
  return texts.has(name) && text.startsWith('"') ? JSON.stringify(JSON.parse(text)) : formOf(text);
}

function cellForms(row: string, texts: ReadonlySet<string>): Map<string, string> {
  return new Map(jsonMembers(row).map(({ name, text }) => [name, cellForm(name, text, texts)]));
}

function rowForm(row: string, texts: ReadonlySet<string>): string {
  return row.startsWith('{') ? objectForm(cellForms(row, texts)) : formOf(row);
}

/** Returns the form of a whole value; a long list is looked at in turns. */
async function wholeForm(text: string, texts: ReadonlySet<string>): Promise<string> {
  if (!text.startsWith('[')) return rowForm(text, texts);
  const turns = createTurns();
  const forms: string[] = [];
  for (const element of jsonElements(text)) {
    forms.push(rowForm(element, texts));
    await turns.next();
  }
  return arrayForm(forms);
}

/** The form of null, and of no rows. */
const emptyForm = comparableForm(null);

/** Returns the form of a whole array; one without elements is the same as null. */
function arrayForm(forms: readonly string[]): string {
  return forms.length === 0 ? emptyForm : `[${forms.join(',')}]`;
}
