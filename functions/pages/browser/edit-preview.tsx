/** What a record would look like on its page, with the changes that are not stored yet. */

import { Article } from '../views/article.tsx';
import { colors, type Entry, type Kind, type Values } from './edit-data.ts';
import { plain } from './plain.ts';
import { calendar, language, site, word } from './session.tsx';

interface PreviewProps {
  readonly kind: Kind;
  readonly values: Values;
  readonly record: Entry | undefined;
}

export function Preview({ kind, values, record }: PreviewProps) {
  const title = String(values['title'] ?? values[kind] ?? '');
  const [start_date, end_date] = ['start_date', 'end_date'].map((name) => wallOf(String(values[name])));
  const dates = { start_date, end_date, utc_start_date: start_date, utc_end_date: end_date };
  const ofEvent = { ...dates, timezone_abbr: values['timezone'], tags: [] };
  const shown = { ...record, ...values, ...(kind === 'event' && start_date && end_date ? ofEvent : {}) };
  const context = { site, calendar, language, query: '', word, plain, target: '_blank' } as const;
  return (
    <section class="preview" aria-label={word('preview')}>
      <Article
        {...{ record: shown as unknown as Entry, title, context }}
        colorOf={({ id }) => colors[id] ?? ''}
      />
    </section>
  );
}

/** Returns a time of a form as the API shows it: `2030-06-01 19:00:00`; the present one for none. */
function wallOf(text: string): string {
  return (text || new Date().toISOString())
    .slice(0, 16)
    .padEnd(16, ' 00:00')
    .padEnd(19, ':00')
    .replace('T', ' ');
}
