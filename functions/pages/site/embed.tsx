/** The page with the code by which other sites show the calendar. */

import { xmlText } from '../../calendar/model/text/html.ts';
import type { Page } from '../common/page.tsx';
import { Select } from '../common/views/controls.tsx';
import type { Reader } from './reader.ts';

/** Height in pixels of a frame that no script fits to its content. */
const frameHeight = 800;

export async function embedPage({ context, categories }: Reader): Promise<Page> {
  const { url, site, siteUrl, config, language, word, plain } = context;
  const { terms } = await categories();
  const view = url.searchParams.get('view') === 'month' ? 'month' : 'list';
  const category = terms.find(({ slug }) => slug === url.searchParams.get('categories'))?.slug ?? '';
  const filter = category === '' ? {} : { categories: category };
  const query = String(new URLSearchParams({ view, ...filter, translation_language: language }));
  const data = Object.entries({ calendar: view, ...filter, language });
  const attributes = data.map(([name, value]) => `data-${name}="${value}"`).join(' ');
  const title = xmlText(config.SITE_NAME || word('calendar'));
  const isAllowed = config.EMBED_ORIGINS.length > 0;
  const children = (
    <>
      {!isAllowed && <p role="note">{word('embedNone')}</p>}
      <form class="fields" action={`${site}/embed`}>
        <Select
          name="view"
          label={word('view')}
          value={view}
          options={(['list', 'month'] as const).map((name) => [name, word(name)])}
        />
        <Select
          name="categories"
          label={word('category')}
          value={category}
          options={[['', word('all')], ...terms.map(({ slug, name }) => [slug, plain(name)] as const)]}
        />
        <input type="hidden" name="translation_language" value={language} />
        <button type="submit">{word('show')}</button>
      </form>
      <p>{word('embedWhy')}</p>
      <pre class="copied">{`<script src="${siteUrl}/embed.js" ${attributes}></script>`}</pre>
      <p>{word('embedFrame')}</p>
      <pre class="copied">
        {`<iframe src="${xmlText(`${siteUrl}/embed/calendar?${query}`)}" title="${title}" width="100%" height="${frameHeight}"></iframe>`}
      </pre>
      {isAllowed && (
        <>
          <h2>{word('preview')}</h2>
          <iframe class="preview" src={`${site}/embed/calendar?${query}`} title={word('preview')} />
        </>
      )}
    </>
  );
  return { title: word('embed'), children, script: 'copy.js', hasFrames: true };
}
