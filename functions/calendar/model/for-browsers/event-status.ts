/** Whether an event takes place as it was announced, and how readers are told. */

/**
 * The event statuses of The Events Calendar (`scheduled`, `canceled`, `postponed`, `moved-online`), and two that towns have to tell beside
 * them.
 */
export const eventStatuses = [
  'scheduled',
  'canceled',
  'postponed',
  'moved',
  'moved-online',
  'sold-out',
] as const;
export type EventStatus = (typeof eventStatuses)[number];

const words: Readonly<Record<EventStatus, Readonly<Record<'en' | 'da' | 'sv', string>>>> = {
  scheduled: { en: 'As announced', da: 'Som annonceret', sv: 'Som planerat' },
  canceled: { en: 'Cancelled', da: 'Aflyst', sv: 'Inställt' },
  postponed: { en: 'Postponed', da: 'Udsat', sv: 'Uppskjutet' },
  moved: { en: 'Moved', da: 'Flyttet', sv: 'Flyttat' },
  'moved-online': { en: 'Moved online', da: 'Flyttet til nettet', sv: 'Flyttat till nätet' },
  'sold-out': { en: 'Sold out', da: 'Udsolgt', sv: 'Slutsålt' },
};

/** Says a status in a language; English in one that it is not known in. */
export function statusWord(status: EventStatus, language: string): string {
  const said = words[status];
  return language === 'da' || language === 'sv' ? said[language] : said.en;
}

/** Says before the title of an event what readers have to know of it first: `Cancelled: Evensong`. */
export function titleWithStatus(title: string, status: EventStatus | undefined, language: string): string {
  return status === undefined ? title : `${statusWord(status, language)}: ${title}`;
}
