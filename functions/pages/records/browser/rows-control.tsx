/** The control of an array: a table with an input in each cell; rows are added, changed and removed. */

import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { FieldErrors } from '../../common/browser/api-client.ts';
import type { ControlProps } from '../../common/browser/fields.tsx';
import { useMore } from '../../common/browser/more.tsx';
import { word } from '../../common/browser/session.tsx';
import { Options } from '../../common/views/controls.tsx';
import { wordsByName } from './reading.ts';
import {
  type Column,
  type EditedRows,
  type TableRow,
  textOfCell,
  typeOfCell,
  withCell,
  withNewRow,
} from './rows.ts';
import { useTechnical } from './technical.tsx';

/** Rows that are drawn at once. */
const step = 50;

/** Which element has the focus after a row came or went: the first input of the last row, or the button that removes a row. */
type Focus = 'last' | number;

export function RowsControl({ field, value, set, failure }: ControlProps) {
  const table = value as EditedRows;
  const { columns, rows } = table;
  const id = useId();
  const body = useRef<HTMLTableSectionElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const [focus, setFocus] = useState<Focus>();
  const [note, setNote] = useState('');
  const { shown, more } = useMore(rows.length, step);
  // A new row is drawn, however many there are.
  const drawn = rows.filter((_, index) => index < shown || index === rows.length - 1);
  const heads = wordsByName(columns.map(({ name }) => name));
  const headOf = ({ name }: Column) => (name === '' ? word('value') : (heads.get(name) ?? name));
  useLayoutEffect(() => {
    if (focus === undefined) return;
    const buttons = body.current?.querySelectorAll<HTMLElement>('button') ?? [];
    const inputs = body.current?.lastElementChild?.querySelectorAll<HTMLElement>('input, select') ?? [];
    const target =
      focus === 'last' ? inputs[0] : (buttons[Math.min(focus, buttons.length - 1)] ?? add.current);
    target?.focus();
    setFocus(undefined);
  }, [focus]);
  const remove = (row: TableRow, index: number) => {
    set({ ...table, rows: rows.filter(({ key }) => key !== row.key) });
    setNote(word('rowRemoved'));
    setFocus(index);
  };
  const faults = failure instanceof FieldErrors ? failure.within(field.name) : [];
  return (
    <>
      <div class="overflow-auto rows">
        <table>
          <thead>
            <tr>
              <th scope="col">{word('rowHead')}</th>
              {columns.map((column) => (
                <th key={column.name} scope="col">
                  {headOf(column)}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody ref={body}>
            {drawn.map((row) => {
              const index = rows.indexOf(row);
              return (
                <tr key={index}>
                  <th scope="row">{index + 1}</th>
                  {columns.map((column) => {
                    const fault = faults.find(
                      ([[at, name = '']]) => at === String(index) && name === column.name,
                    )?.[1];
                    return (
                      <td key={column.name} data-head={headOf(column)}>
                        <Cell
                          row={row}
                          column={column}
                          label={`${headOf(column)}, ${word('row')} ${index + 1}`}
                          errorId={fault === undefined ? undefined : `${id}-${index}-${column.name}`}
                          set={(text) => set(withCell(table, row, column, text))}
                        />
                        {fault !== undefined && (
                          <small id={`${id}-${index}-${column.name}`} class="failing">
                            {fault}
                          </small>
                        )}
                      </td>
                    );
                  })}
                  <td>
                    <button
                      type="button"
                      class="outline secondary"
                      aria-label={`${word('removeRow')} ${index + 1}`}
                      onClick={() => remove(row, drawn.indexOf(row))}
                    >
                      ×
                    </button>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {more}
      <p class="buttons">
        <button
          ref={add}
          type="button"
          class="outline"
          onClick={() => {
            set(withNewRow(table));
            setNote('');
            setFocus('last');
          }}
        >
          {word('addRow')}
        </button>
        <span class="muted" role="status">
          {note}
        </span>
      </p>
    </>
  );
}

interface CellProps {
  readonly row: TableRow;
  readonly column: Column;
  readonly label: string;
  readonly errorId: string | undefined;
  readonly set: (text: string) => void;
}

const inputTypes = { text: 'text', number: 'number', day: 'date', json: 'text' } as const;

function Cell({ row, column, label, errorId, set }: CellProps) {
  const isTechnical = useTechnical();
  const type = typeOfCell(row, column);
  const value = textOfCell(row, column);
  const invalid = errorId === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': errorId };
  if (type === 'json' && !isTechnical) return <span class="muted">{word('changeAsJson')}</span>;
  if (type === 'check') {
    const options = [
      ['', word('notSet')],
      ['true', word('yes')],
      ['false', word('no')],
    ] as const;
    return (
      <select
        aria-label={label}
        {...invalid}
        value={value}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      >
        <Options options={options} />
      </select>
    );
  }
  // An input would join the lines.
  if (type === 'text' && value.includes('\n'))
    return (
      <textarea
        aria-label={label}
        {...invalid}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    );
  return (
    <input
      type={inputTypes[type]}
      aria-label={label}
      {...invalid}
      {...(type === 'number' ? { step: 'any' } : {})}
      value={value}
      autocomplete="off"
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}
