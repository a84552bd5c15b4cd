/** What the steps ask of a stack, whichever tool it is. */

import type { Outputs } from '../outputs.ts';

export interface Stack {
  /** Creates or updates the app registration. */
  readonly provisionEntra: () => Promise<void>;
  /** What the entra template made; empty when it never ran. */
  readonly entraOutputs: () => Promise<Outputs>;
  /** Creates or updates everything else, with these values for the parameters (names in camelCase). */
  readonly provision: (values: Readonly<Record<string, string>>) => Promise<void>;
  /** Shows what provision would change; gives whether there is anything. */
  readonly preview: (values: Readonly<Record<string, string>>) => Promise<boolean>;
  readonly outputs: () => Promise<Outputs>;
  /** Removes everything but the app registration. */
  readonly teardown: () => Promise<void>;
}
