/** The words of the pages in each language: English, Danish, Swedish. */

export const pageLanguages = ['en', 'da', 'sv'] as const;
/** Languages of pages; texts of the calendar have English as their default. */
export type PageLanguage = (typeof pageLanguages)[number];

const table = {
  ownName: ['English', 'Dansk', 'Svenska'],
  pages: ['Pages', 'Sider', 'Sidor'],
  language: ['Language', 'Sprog', 'Språk'],
  skip: ['Skip to the content', 'Gå til indholdet', 'Gå till innehållet'],
  links: ['Links', 'Links', 'Länkar'],
  calendar: ['Calendar', 'Kalender', 'Kalender'],
  edit: ['Edit the calendar', 'Redigér kalenderen', 'Redigera kalendern'],
  view: ['View', 'Visning', 'Vy'],
  views: ['Views', 'Visninger', 'Vyer'],
  list: ['List', 'Liste', 'Lista'],
  month: ['Month', 'Måned', 'Månad'],
  week: ['Week', 'Uge', 'Vecka'],
  search: ['Search', 'Søg', 'Sök'],
  searchEvents: ['Search events', 'Søg i begivenheder', 'Sök evenemang'],
  filters: ['Filters', 'Filtre', 'Filter'],
  category: ['Category', 'Kategori', 'Kategori'],
  venue: ['Venue', 'Sted', 'Plats'],
  tag: ['Tag', 'Emneord', 'Etikett'],
  all: ['All', 'Alle', 'Alla'],
  showAll: ['Show all events', 'Vis alle begivenheder', 'Visa alla evenemang'],
  upcoming: ['Upcoming events', 'Kommende begivenheder', 'Kommande evenemang'],
  past: ['Past events', 'Tidligere begivenheder', 'Tidigare evenemang'],
  none: ['There are no events.', 'Der er ingen begivenheder.', 'Det finns inga evenemang.'],
  earlier: ['Previous page', 'Forrige side', 'Föregående sida'],
  later: ['Next page', 'Næste side', 'Nästa sida'],
  previous: ['Previous event', 'Forrige begivenhed', 'Föregående evenemang'],
  next: ['Next event', 'Næste begivenhed', 'Nästa evenemang'],
  related: ['You may also like', 'Måske også noget for dig', 'Du kanske också gillar'],
  allDay: ['All day', 'Hele dagen', 'Hela dagen'],
  when: ['When', 'Hvornår', 'När'],
  where: ['Where', 'Hvor', 'Var'],
  cost: ['Price', 'Pris', 'Pris'],
  organizer: ['Organizer', 'Arrangør', 'Arrangör'],
  website: ['Website', 'Hjemmeside', 'Webbplats'],
  phone: ['Telephone', 'Telefon', 'Telefon'],
  email: ['E-mail', 'E-mail', 'E-post'],
  map: ['Show on a map', 'Vis på kort', 'Visa på karta'],
  add: ['Add to calendar', 'Føj til kalender', 'Lägg till i kalender'],
  addFile: ['Calendar file (.ics)', 'Kalenderfil (.ics)', 'Kalenderfil (.ics)'],
  subscribe: ['Subscribe', 'Abonnér', 'Prenumerera'],
  openFeed: ['Open in your calendar program', 'Åbn i dit kalenderprogram', 'Öppna i ditt kalenderprogram'],
  feed: ['Address of the feed', 'Feedets adresse', 'Flödets adress'],
  free: ['Free', 'Gratis', 'Gratis'],
  embed: ['Show on your site', 'Vis på dit websted', 'Visa på din webbplats'],
  embedWhy: [
    'Copy this code into a page of your site. The calendar there is always up to date.',
    'Kopiér denne kode ind på en side på dit websted. Kalenderen dér er altid opdateret.',
    'Kopiera koden till en sida på din webbplats. Kalendern där är alltid aktuell.',
  ],
  embedFrame: [
    'For sites that allow no scripts: a frame of a fixed height.',
    'Til websteder, der ikke tillader scripts: en ramme med fast højde.',
    'För webbplatser som inte tillåter skript: en ram med fast höjd.',
  ],
  embedNone: [
    'No other site may show this calendar yet: its operator has to name the sites in EMBED_ORIGINS.',
    'Ingen andre websteder må vise kalenderen endnu: driften skal nævne dem i EMBED_ORIGINS.',
    'Inga andra webbplatser får visa kalendern än: driften måste ange dem i EMBED_ORIGINS.',
  ],
  preview: ['Preview', 'Forhåndsvisning', 'Förhandsgranskning'],
  show: ['Show', 'Vis', 'Visa'],
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

export type Words = (word: Word) => string;

/** Returns the function that says a word in a language. */
export function words(language: PageLanguage): Words {
  return (word) => table[word][pageLanguages.indexOf(language)] ?? word;
}
