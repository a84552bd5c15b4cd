/** Renderers: one for each URL of the API, site and language, the last used of them cached. What they have rendered is in one budget. */

import { createCache } from '../../../cache.ts';
import type { CalendarRequest } from '../../model/context.ts';
import { siteFor } from '../../model/site.ts';
import { TextCaches } from '../text-cache.ts';
import { Renderer } from './renderer.ts';
import type { ViewContext } from './views.ts';

const maxRenderers = 12;

/** What of a request the URLs and texts of records depend on. */
type Place = Pick<CalendarRequest, 'root' | 'language' | 'siteUrl'>;

/** Creates the function that returns the renderer for a request. */
export function createRenderers(context: Pick<ViewContext, 'site' | 'replica'>) {
  const texts = new TextCaches();
  const renderers = createCache<string, Renderer>({ maxEntries: maxRenderers });
  return ({ root, language, ...request }: Place): Renderer => {
    const site = siteFor(request, context.site);
    const cacheKey = [language, root, site.url].join(' ');
    const renderer = renderers.get(cacheKey) ?? new Renderer({ ...context, site, root, language }, texts);
    renderers.set(cacheKey, renderer);
    return renderer;
  };
}
