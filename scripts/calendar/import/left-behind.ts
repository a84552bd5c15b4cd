/** What of the files of a site an import does not copy, so that it is known before the site is switched off. */

import { keyOf } from '../../../functions/calendar/replica/entries.ts';
import { postsOf } from './in-the-way.ts';
import type { Media } from './media.ts';
import { copiedAddresses } from './picture-addresses.ts';
import { addressesInTexts } from './pictures.ts';

import type { SourceRecord } from './record-decision.ts';
import { section } from './report.ts';
import { ownAddresses } from './source-name.ts';
import { isCopied } from './source-picture.ts';
import type { Target } from './target.ts';
import { textsOf } from './texts.ts';

/** An address in a text: absolute, without a scheme, or a path of the site. */
const address = /(?:https?:\/\/|(?<!:)\/\/|(?<=["'(\s,;])\/)[^\s"'<>(),]+/gi;
const fileName =
  /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|epub|zip|svg|ics|mp3|m4a|aac|ogg|oga|opus|wav|flac|mp4|m4v|mov|webm|ogv|avi|mpe?g|3gp)$/i;

const pictureName = /\.(?:avif|gif|jpe?g|png|webp)$/i;

/** Returns the lines of a report about files that are not copied: those of texts by the record, and pictures that nothing shows. */
export function leftLines({ byId }: Media, source: string, { replica }: Target): string[] {
  const isOwn = ownAddresses(source);
  const files = postsOf(replica).flatMap((post) =>
    filesOf(post, source).map((url) => `${keyOf(post)} ${url}`),
  );
  const unseen = [...byId.values()].filter(
    ({ image }) => isOwn(image.url) && replica.image(image.id)?.stored === undefined,
  );
  return [
    ...files.map((file) => `  not copied: ${file}`),
    ...(files.length > 0
      ? [`Files of the site that stay there: ${files.length}. Copy them before it is switched off.`]
      : []),
    ...section(
      'Pictures of the media library that nothing shows, and that are not copied',
      unseen.map(({ image }) => image.url),
    ),
  ];
}

/** Returns the addresses of the files of a site, without pictures, to which a record leads. */
function filesOf(post: object, source: string): string[] {
  const { website = '' } = post as Readonly<Record<string, string | undefined>>;
  const isOwn = ownAddresses(source);
  const urls = [...`${textsOf(post).join('\n')}\n ${website}`.matchAll(address)].flatMap(([text]) => {
    const url = text.replaceAll('&amp;', '&');
    return URL.canParse(url, source) ? [new URL(url, source)] : [];
  });
  // Pictures in texts are copied; one that is a website is not.
  const isPicture = ({ href, pathname }: URL) => href === website && pictureName.test(pathname);
  const files = urls.filter((url) => isOwn(url.href) && (fileName.test(url.pathname) || isPicture(url)));
  return [...new Set(files.map(({ href }) => href))];
}

/** Returns the lines of a dry run about the pictures that an import would copy. */
export function dryRunLines(records: Iterable<SourceRecord>, source: string, target: Target): string[] {
  const isOwn = ownAddresses(source);
  const urls = new Set<string>();
  for (const { record } of records) {
    if (record.kind === 'image') {
      const current = target.replica.image(record.id);
      if (isOwn(record.url) && (current === undefined || !isCopied(record, current))) urls.add(record.url);
    } else if ('title' in record)
      for (const url of addressesInTexts([record], source, copiedAddresses(target))) urls.add(url);
  }
  return [`pictures: ${urls.size} would be copied`, ...[...urls].map((url) => `  would be copied: ${url}`)];
}
