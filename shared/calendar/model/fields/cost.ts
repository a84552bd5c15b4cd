/** What an event costs, as it is sent (behaviour section 8). */

import { costTexts } from '../cost.ts';
import { InvalidValue, type Parameter } from './parameter.ts';
import { isTextOrNumber } from './parsers.ts';

export const cost: Parameter<string[]> = {
  description: 'Cost: a text or number, or an array of these for a range.',
  parse: (value) => {
    const items: unknown[] = value === null ? [] : [value].flat();
    return items.every(isTextOrNumber)
      ? costTexts(items)
      : new InvalidValue('must be a text, a number or a list of these', true);
  },
};
