/** The page with the code by which other sites show the calendar. */

import type { Page } from './page.tsx';
import type { Reader } from './reader.ts';
import type { Word } from './views/words.ts';

/** Height in pixels of a frame that no script fits to what is in it. */
const frameHeight = 800;

export async function embedPage({ context, categories }: Reader): Promise<Page> {
  const { url, site, siteUrl, config, language, word, plain } = context;
  const { terms } = await categories();
  const view = url.searchParams.get('view') === 'month' ? 'month' : 'list';
  const category = terms.find(({ slug }) => slug === url.searchParams.get('categories'))?.slug ?? '';
  const query = new URLSearchParams({
    view,
    ...(category === '' ? {} : { categories: category }),
    translation_language: language,
  });
  const attributes = [
    `data-calendar="${view}"`,
    ...(category === '' ? [] : [`data-categories="${category}"`]),
    `data-language="${language}"`,
  ];
  const name = config.SITE_NAME || word('calendar');
  const script = `<script src="${siteUrl}/embed.js" ${attributes.join(' ')}></script>`;
  const frame = `<iframe src="${siteUrl}/embed/calendar?${String(query).replaceAll('&', '&amp;')}" title="${name.replaceAll('"', '&quot;')}" width="100%" height="${frameHeight}"></iframe>`;
  const options = (
    name: string,
    label: Word,
    chosen: string,
    items: readonly (readonly [string, string])[],
  ) => (
    <label>
      {word(label)}
      <select name={name}>
        {items.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
  const children = (
    <>
      {config.EMBED_ORIGINS.length === 0 && <p role="note">{word('embedNone')}</p>}
      <form class="fields" action={`${site}/embed`}>
        {options('view', 'view', view, [
          ['list', word('list')],
          ['month', word('month')],
        ])}
        {options('categories', 'category', category, [
          ['', word('all')],
          ...terms.map(({ slug, name }) => [slug, plain(name)] as const),
        ])}
        <input type="hidden" name="translation_language" value={language} />
        <button type="submit">{word('show')}</button>
      </form>
      <p>{word('embedWhy')}</p>
      <pre class="copied">{script}</pre>
      <p>{word('embedFrame')}</p>
      <pre class="copied">{frame}</pre>
      <h2>{word('preview')}</h2>
      {config.EMBED_ORIGINS.length > 0 && (
        <iframe class="preview" src={`${site}/embed/calendar?${query}`} title={word('preview')} />
      )}
    </>
  );
  return { title: word('embed'), children, script: 'copy.js', hasFrames: true };
}
