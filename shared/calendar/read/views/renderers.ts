/** Renderers: one for each URL of the API and language, the last used of them cached. What they have rendered is in one budget. */

import { createCache } from '../../../cache.ts';
import type { CalendarRequest } from '../../model/context.ts';
import { TextCaches } from '../text-cache.ts';
import { Renderer } from './renderer.ts';
import type { ViewContext } from './views.ts';

const maxRenderers = 12;

/** Creates the function that returns the renderer for a request. */
export function createRenderers(context: Pick<ViewContext, 'site' | 'replica'>) {
  const texts = new TextCaches();
  const renderers = createCache<string, Renderer>({ maxEntries: maxRenderers });
  return ({ root, language }: Pick<CalendarRequest, 'root' | 'language'>): Renderer => {
    const cacheKey = `${language ?? ''} ${root}`;
    const renderer = renderers.get(cacheKey) ?? new Renderer({ ...context, root, language }, texts);
    renderers.set(cacheKey, renderer);
    return renderer;
  };
}
