/**
 * The script of other sites: puts a frame with the calendar behind its element, and gives it the height of what is in it. Attributes of the
 * element say what is shown: `data-calendar` (list or month), filters such as `data-categories`, and `data-language`.
 */

/** Parameters of the calendar by the attributes that say them. */
const parameters = {
  calendar: 'view',
  categories: 'categories',
  tags: 'tags',
  venue: 'venue',
  organizer: 'organizer',
  search: 'search',
  language: 'translation_language',
};

/** Height in pixels until the frame has said its own. */
const firstHeight = 600;

// A block, since a page may have this script more than once.
{
  const script = document.currentScript as HTMLScriptElement;
  const url = new URL('embed/calendar', script.src);
  for (const [attribute, name] of Object.entries(parameters)) {
    const value = script.dataset[attribute];
    if (value) url.searchParams.set(name, value);
  }
  const frame = document.createElement('iframe');
  Object.assign(frame, { src: url.href, title: script.dataset['title'] ?? 'Calendar', loading: 'lazy' });
  Object.assign(frame.style, { border: '0', width: '100%', height: `${firstHeight}px` });
  addEventListener('message', ({ source, origin, data }) => {
    const height = Number(data?.calendarHeight);
    if (source === frame.contentWindow && origin === url.origin && height > 0)
      frame.style.height = `${Math.ceil(height)}px`;
  });
  script.after(frame);
}
