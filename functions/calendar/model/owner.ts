/**
 * Whose a value is, where a record has it from elsewhere and people change it here: the one rule of imports and of series. What nobody has
 * changed here follows its source, and what people have changed here stays.
 */

/** Whose a value is: `same` where both agree, or neither has changed it; `both` have changed it, and that of here stays. */
export type Owner = 'same' | 'source' | 'here' | 'both';

/** Names of a value, or the value as a text: that of the source, of what would be stored for it, and of what is here. */
export interface Sides {
  readonly there: string;
  readonly stored: string;
  readonly here: string;
}

/** What was noted of a field when it was given last. */
export interface Note {
  /** Names the value that the source had. */
  readonly there: string;
  /** Names the value that was stored for it; undefined where an earlier version has not noted it. */
  readonly here: string | undefined;
}

/** Decides whose a value is. Without a note the side that was changed last counts: `isNewerHere`. */
export function ownerOf({ there, stored, here }: Sides, note: Note | undefined, isNewerHere: boolean): Owner {
  if (stored === here) return 'same';
  if (note === undefined) return isNewerHere ? 'both' : 'source';
  const isChangedThere = there !== note.there;
  // An earlier version has not noted what it stored.
  if (note.here === undefined) return isChangedThere ? 'source' : 'same';
  // What is stored may change without the source: a text shows the copy of a picture from then on.
  if (here === note.here) return 'source';
  return isChangedThere ? 'both' : 'here';
}
