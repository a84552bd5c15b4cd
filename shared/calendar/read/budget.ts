/** Bytes of memory, at most, that everything takes that is kept for later reads: one budget, and its parts. What does not fit any more makes room by what was used least recently. */

const mebibyte = 2 ** 20;

export const budget = {
  /** Pages of lists and feeds, until the calendar changes. */
  pages: 8 * mebibyte,
  /** Texts of single records, until they change: JSON, and components of iCalendar. */
  texts: 32 * mebibyte,
  /** Which texts have a phrase. */
  phrases: 4 * mebibyte,
} as const;
