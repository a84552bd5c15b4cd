import { expect, test } from 'vitest';
import { objectKinds } from '../../../../../functions/records/objects/kinds.ts';
import { selectedFields } from '../../../../../functions/records/objects/selected-fields.ts';

test('blanks around the names of fields do not count', () => {
  expect(selectedFields(objectKinds.diary, ['id, title ,bkStr1'])).toEqual(['id', 'title', 'bkStr01']);
});
