/** Puts the table of `test/verdicts/` into INSIDE.md, between its marks: `npm run verdicts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { closeVerdicts, verdictTable } from '../test/verdicts/verdicts.ts';

const page = new URL('../INSIDE.md', import.meta.url);
const text = readFileSync(page, 'utf8');
const marked = /(<!-- verdicts -->\n)[\s\S]*?(\n<!-- \/verdicts -->)/;
if (!marked.test(text)) throw new Error('Cannot write the table: INSIDE.md has no marks for it');
const table = await verdictTable();
closeVerdicts();
writeFileSync(
  page,
  text.replace(marked, (_, before, after) => `${before}${table}${after}`),
);
