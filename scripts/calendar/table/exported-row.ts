/** The row that an exported table has of an event of this calendar. */

import type { EventEntry } from '../../../functions/calendar/replica/entries.ts';
import type { Row } from '../import/row.ts';
import type { Target } from '../import/target.ts';
import { cellsOf } from './event-cells.ts';
import { rowOfCells } from './read-table.ts';

/** Returns the row of an event. */
export function exportedRow(entry: EventEntry, { replica, context: { root } }: Target): Row {
  return rowOfCells(cellsOf(entry, { replica, root }));
}
