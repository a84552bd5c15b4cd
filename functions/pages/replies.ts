/** What makes the pages: loaded with the first that is asked for, so that the app starts without it. */

export { assetReply } from './assets.ts';
export { createCalendarPages } from './calendar-pages.tsx';
export { scriptPageReply } from './script-pages.tsx';
export { startReply } from './start.tsx';
