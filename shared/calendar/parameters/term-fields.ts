/** Fields of categories and tags on create and update (specification, "Category fields" and "Tag fields"). */

import { escapedLine, sanitizeInline } from '../model/text/sanitize.ts';
import { slugOf } from '../model/text/slug.ts';
import { filledText, refined, text } from './kinds.ts';
import { required, Unfit, type Values } from './parameter.ts';
import { existingCategoryOrNone } from './references.ts';

export const tagFields = {
  name: required(
    refined(text('Name, unique among tags, and among categories with one parent.'), (value) =>
      // A name of blanks is refused by its own code, once it is saved.
      ['', '0'].includes(value) ? new Unfit('must not be empty') : escapedLine(value),
    ),
  ),
  description: refined(text('Description; simple markup is kept.'), sanitizeInline),
  slug: refined(filledText('Slug; without one it is made from the name.'), slugOf),
};

export const categoryFields = {
  ...tagFields,
  parent: existingCategoryOrNone('Id of the parent category; on update 0 moves to the top.'),
};

export type TermValues = Values<typeof categoryFields>;
