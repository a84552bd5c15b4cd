/** What a layer found: `skipped` has the reason why it did not run. */
export interface LayerResult {
  readonly skipped?: string;
  /** What was done, for people: `13 rules on 6 sets of parameters`. */
  readonly done: string;
  readonly faults: readonly string[];
}
