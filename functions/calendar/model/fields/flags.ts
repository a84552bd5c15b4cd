/** Parameters that are true or false, each as strict as clients know it. */

import { InvalidValue, type Parameter } from './parameter.ts';

const truthyTexts = new Set(['1', 'true', 'yes', 'on']);

/** True or false in the strict forms: JSON booleans, `1`, `0`, `true`, `false` in any case. */
export function flag(description: string): Parameter<boolean> {
  return {
    description,
    type: 'boolean',
    parse: (value) => {
      if (value === 1 || value === 0) return value === 1;
      if (typeof value === 'string' && /^(?:1|0|true|false)$/i.test(value))
        return truthyTexts.has(value.toLowerCase());
      return typeof value === 'boolean' ? value : new InvalidValue('must be true or false', true);
    },
  };
}

/** True for `true`, `1`, `yes` and `on`; false for any other text, number or boolean. */
export function looseFlag(description: string): Parameter<boolean> {
  return {
    description,
    type: 'boolean',
    parse: (value) =>
      typeof value === 'object'
        ? new InvalidValue('must be true or false', true)
        : truthyTexts.has(String(value).toLowerCase()),
  };
}

/** The same, of any type. */
export function truthyFlag(description: string): Parameter<boolean> {
  return { description, parse: (value) => truthyTexts.has(String(value).toLowerCase()) };
}

/** The same, but empty is refused. */
export function nonEmptyFlag(description: string): Parameter<boolean> {
  return {
    description,
    type: 'boolean',
    parse: (value) =>
      value === '' ? new InvalidValue('must not be empty') : truthyTexts.has(String(value).toLowerCase()),
  };
}
