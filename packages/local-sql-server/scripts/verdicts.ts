/** Puts the table of `test/verdicts/` into the README, between its marks: `npm run verdicts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { closeVerdicts, verdictTable } from '../test/verdicts/verdicts.ts';

const readme = new URL('../README.md', import.meta.url);
const text = readFileSync(readme, 'utf8');
const marked = /(<!-- verdicts -->\n)[\s\S]*?(\n<!-- \/verdicts -->)/;
if (!marked.test(text)) throw new Error('Cannot write the table: the README has no marks for it');
const table = await verdictTable();
closeVerdicts();
writeFileSync(
  readme,
  text.replace(marked, (_, before, after) => `${before}${table}${after}`),
);
