/** The words of the pages in each language: English, Danish, Swedish. */

import { type Language, languages } from '../../shared/calendar/model/values.ts';

/** Languages of pages; texts of the calendar have English as their default. */
export type PageLanguage = Language | 'en';
export const pageLanguages: readonly PageLanguage[] = ['en', ...languages];

const table = {
  ownName: ['English', 'Dansk', 'Svenska'],
  pages: ['Pages', 'Sider', 'Sidor'],
  language: ['Language', 'Sprog', 'Språk'],
  start: ['Start', 'Start', 'Start'],
  calendar: ['Calendar', 'Kalender', 'Kalender'],
  records: ['Records', 'Sager', 'Ärenden'],
  explorer: ['API explorer', 'API-oversigt', 'API-översikt'],
  search: ['Search', 'Søg', 'Sök'],
  category: ['Category', 'Kategori', 'Kategori'],
  venue: ['Venue', 'Sted', 'Plats'],
  tag: ['Tag', 'Emneord', 'Etikett'],
  all: ['All', 'Alle', 'Alla'],
  show: ['Show', 'Vis', 'Visa'],
  upcoming: ['Upcoming events', 'Kommende begivenheder', 'Kommande evenemang'],
  none: ['There are no events.', 'Der er ingen begivenheder.', 'Det finns inga evenemang.'],
  when: ['When', 'Hvornår', 'När'],
  where: ['Where', 'Hvor', 'Var'],
  cost: ['Cost', 'Pris', 'Pris'],
  organizer: ['Organizer', 'Arrangør', 'Arrangör'],
  website: ['Website', 'Hjemmeside', 'Webbplats'],
  phone: ['Telephone', 'Telefon', 'Telefon'],
  email: ['E-mail', 'E-mail', 'E-post'],
  map: ['Show on a map', 'Vis på kort', 'Visa på karta'],
  add: ['Add to my calendar', 'Føj til min kalender', 'Lägg till i min kalender'],
  addGoogle: ['Add to Google Calendar', 'Føj til Google Kalender', 'Lägg till i Google Kalender'],
  subscribe: ['Subscribe', 'Abonner', 'Prenumerera'],
  feed: ['Address of the feed', 'Feedets adresse', 'Flödets adress'],
  free: ['Free', 'Gratis', 'Gratis'],
  title404: ['There is no such page', 'Siden findes ikke', 'Sidan finns inte'],
  why404: [
    'It is not there, or not public.',
    'Den er der ikke, eller den er ikke offentlig.',
    'Den finns inte, eller är inte offentlig.',
  ],
  title403: ['This event is protected', 'Denne begivenhed er beskyttet', 'Detta evenemang är skyddat'],
  why403: [
    'Its organizer shows it only to those who know its password.',
    'Arrangøren viser den kun til dem, der kender adgangskoden.',
    'Arrangören visar det bara för dem som kan lösenordet.',
  ],
  title503: ['Try again soon', 'Prøv igen om lidt', 'Försök igen om en stund'],
  why503: [
    'The calendar cannot be read at the moment.',
    'Kalenderen kan ikke læses i øjeblikket.',
    'Kalendern kan inte läsas just nu.',
  ],
} as const;

export type Word = keyof typeof table;

const columns: Readonly<Record<PageLanguage, 0 | 1 | 2>> = { en: 0, da: 1, sv: 2 };

/** Returns the function that says a word in a language. */
export function words(language: PageLanguage): (word: Word) => string {
  return (word) => table[word][columns[language]];
}
