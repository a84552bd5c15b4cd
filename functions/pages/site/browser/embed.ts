/**
 * The script of other sites: puts a frame with the calendar behind its element, and gives it the height of what is in it. Attributes of the
 * element say what is shown: `data-calendar` (list or month), filters such as `data-categories`, and `data-language`, by default that of the page. For an element in the
 * head, which shows nothing, the frame is the last part of the page's main content.
 */

/** Parameters of the calendar by the attributes that say them. */
const parameters = {
  calendar: 'view',
  categories: 'categories',
  tags: 'tags',
  venue: 'venue',
  organizer: 'organizer',
  search: 'search',
};

/** What screen readers call the frame, by language. */
const titles: Readonly<Record<string, string>> = { en: 'Calendar', da: 'Kalender', sv: 'Kalender' };

/** The address of this script, which the service writes in place of this text: a module cannot tell which element is its own. */
const servedAs = '__ADDRESS_OF_THIS_SCRIPT__';

/** Height in pixels until the frame has said its own. */
const firstHeight = 600;

// A block, since a page may have this script more than once.
{
  const { currentScript } = document;
  const withoutQuery = (address: string) => address.replace(/[?#].*$/, '');
  const own = withoutQuery((currentScript as HTMLScriptElement | null)?.src ?? servedAs);

  /** Elements of this script that have no frame yet: other vendors have an embed.js too. A module runs once for several elements. */
  const waitingScripts = () =>
    [...document.querySelectorAll<HTMLScriptElement>('script[src]:not([data-shown])')].filter(
      ({ src }) => withoutQuery(src) === own,
    );

  const show = (script: HTMLScriptElement) => {
    script.dataset['shown'] = 'true';
    const url = new URL('embed/calendar', script.src);
    for (const [attribute, name] of Object.entries(parameters)) {
      const value = script.dataset[attribute];
      if (value) url.searchParams.set(name, value);
    }
    const ofPage = document.documentElement.lang.slice(0, 2);
    const language = script.dataset['language'] ?? (ofPage in titles ? ofPage : undefined);
    if (language) url.searchParams.set('translation_language', language);
    const title = script.dataset['title'] ?? titles[language ?? 'en'] ?? titles['en'];
    const frame = document.createElement('iframe');
    Object.assign(frame, { src: url.href, title, loading: 'lazy' });
    Object.assign(frame.style, { border: '0', width: '100%', height: `${firstHeight}px` });
    addEventListener('message', ({ source, origin, data }) => {
      const height = Number(data?.calendarHeight);
      if (source === frame.contentWindow && origin === url.origin && height > 0)
        frame.style.height = `${Math.ceil(height)}px`;
    });
    if (script.closest('head')) (document.querySelector('main') ?? document.body).append(frame);
    else script.after(frame);
  };

  const showAll = () => waitingScripts().forEach(show);
  if (currentScript && !currentScript.closest('head')) show(currentScript as HTMLScriptElement);
  else if (document.readyState === 'loading') addEventListener('DOMContentLoaded', showAll);
  else showAll();
}
