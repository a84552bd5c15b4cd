/** What the table of settings says of each. */

/** One variable of the environment. */
export interface Variable<T> {
  readonly description: string;
  readonly parse: (text: string) => T;
  /** The value when the variable is not set; without one the variable is required. */
  readonly fallback?: T;
  /** Code of the error when the value is missing or unusable. */
  readonly code: 'configuration' | 'database-connection';
}

type Options<T> = Partial<Pick<Variable<T>, 'fallback' | 'code'>>;

/** Creates a variable from its parser and its description. Required unless the options have a fallback. */
export function setting<T>(
  parse: (text: string) => T,
  description: string,
  options: Options<T> = {},
): Variable<T> {
  return { description, parse, code: 'configuration', ...options };
}
