/** The languages of pages and of the texts in them: a text that is not translated says which language it is in (WCAG 2.2, 3.1.2). */

import { beforeAll, expect, test } from 'vitest';
import { useCalendarApp } from '../support/calendar-app.ts';

const app = useCalendarApp({ CALENDAR_SITE_URL: '', CALENDAR_LANGUAGE: 'da' });

const soon = { start_date: '+3 days 10:00', end_date: '+3 days 11:00' };

beforeAll(async () => {
  const fest = await app.create('events', {
    ...soon,
    title: 'Byfest',
    slug: 'byfest',
    description: 'For alle.',
    excerpt: 'Kort.',
    categories: ['Fester'],
    venue: { venue: 'Torvet' },
  });
  await app.change(`/events/${fest.id}?translation_language=sv`, { title: 'Stadsfest', excerpt: 'Kort.' });
  await app.create('events?translation_language=sv', { ...soon, title: 'Loppmarknad', slug: 'loppmarknad' });
});

async function page(path: string, language: string) {
  const reply = await fetch(new URL(path, app.root), {
    headers: { Accept: 'text/html', 'Accept-Language': language },
  });
  return reply.text();
}

const h1 = (text: string) => /<h1[^>]*>.*?<\/h1>/.exec(text)?.[0];

test.each([
  ['en', '<h1 lang="da">Byfest</h1>', '<div class="text" lang="da">', '<h1 lang="sv">Loppmarknad</h1>'],
  ['da', '<h1>Byfest</h1>', '<div class="text">', '<h1 lang="sv">Loppmarknad</h1>'],
  ['sv', '<h1>Stadsfest</h1>', '<div class="text" lang="da">', '<h1>Loppmarknad</h1>'],
])('a page in %s names the language of texts in another', async (language, title, text, swedish) => {
  const event = await page('/event/byfest/', language);
  expect(h1(event)).toBe(title);
  expect(event).toContain(text);
  expect(h1(await page('/event/loppmarknad/', language))).toBe(swedish);
});

test('a list does so for titles, excerpts and categories', async () => {
  const list = await page('/calendar', 'sv');
  expect(list).toMatch(/<a href="[^"]*\/byfest\/[^>]*">Stadsfest</);
  expect(list).toMatch(/<p class="excerpt">Kort\./);
  expect(list).toMatch(/<a class="chip[^>]* lang="da">Fester</);
});

test('who prefers none of the languages reads that of the calendar, at the address of search engines', async () => {
  const text = await page('/calendar', 'fr');
  expect(text).toContain('<html lang="da">');
  const origin = new URL(app.root).origin;
  expect(text).toContain(`<link rel="canonical" href="${origin}/calendar"/>`);
  expect(text).toContain(`hreflang="en" href="${origin}/calendar?translation_language=en"`);
});

test('the API names the language of each text that it shows', async () => {
  const languagesOf = async (path: string) => {
    const reply = await fetch(`${app.root}/events/by-slug/${path}`);
    return ((await reply.json()) as { readonly text_languages?: object }).text_languages;
  };
  // Nobody said in which language the default texts are written; the excerpt is the same as the Swedish one.
  expect(await languagesOf('byfest')).toEqual({ excerpt: 'sv' });
  expect(await languagesOf('byfest?translation_language=sv')).toEqual({ title: 'sv', excerpt: 'sv' });
  expect(await languagesOf('loppmarknad')).toEqual({ title: 'sv' });
  expect(await languagesOf('loppmarknad?translation_language=da')).toEqual({ title: 'sv' });
});
