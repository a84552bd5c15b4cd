/** Titles and names as they are shown (behaviour section 9). */

import { typographic } from './typography.ts';

/** Renders a stored title: trimmed, with typographic characters in entities. */
export function renderTitle(title: string): string {
  return typographic(title.trim());
}
