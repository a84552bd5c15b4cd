/** What of the files of a site an import does not copy, so that it is known before the site is switched off. */

import type { AnyPost } from '../../../functions/calendar/model/records.ts';
import { keyOf } from '../../../functions/calendar/replica/entries.ts';
import { postsOf } from './in-the-way.ts';
import type { Media } from './media.ts';
import { isFile, pageIn } from './page-links.ts';
import { copiedAddresses, pictureUrl } from './picture-addresses.ts';
import { addressesInTexts } from './pictures.ts';
import type { SourceRecord } from './record-decision.ts';
import type { ListItems } from './report-file.ts';
import { ownAddresses } from './source-name.ts';
import { isCopied, type PictureSite } from './source-picture.ts';
import type { Target } from './target.ts';
import { textsOf } from './texts.ts';

/** An address in a text: absolute, without a scheme, or a path of the site. */
const address = /(?:https?:\/\/|(?<!:)\/\/|(?<=["'(\s,;])\/)[^\s"'<>(),]+/gi;
/** An address as a value of an attribute; it may be relative to the page. */
const attribute = /(?<=\s(?:href|src|data|poster)=")[^"]+(?=")/gi;

const pictureName = /\.(?:avif|gif|jpe?g|png|webp)$/i;

interface Output {
  readonly say: (line: string) => void;
  readonly list: ListItems;
}

/** Lists the files that are not copied: those of texts by the record, and pictures that nothing shows. */
export function listLeft(
  { byId }: Media,
  { source, isOwn }: PictureSite,
  { replica, context }: Target,
  { say, list }: Output,
): void {
  const files = postsOf(replica).flatMap((post) =>
    filesOf(post, source).map((url) => `${keyOf(post)} ${url}`),
  );
  const unseen = [...byId.values()].filter(
    ({ image }) => isOwn(image.url) && replica.image(image.id)?.stored === undefined,
  );
  list('filesLeft', 'Files of the site that are not copied', files);
  if (files.length > 0) say('Copy these files before the site is switched off.');
  list(
    'picturesLeft',
    'Pictures of the media library that nothing shows, and that are not copied',
    unseen.map(({ image }) => image.url),
  );
  const isOfHere = ownAddresses(context.root);
  const isElsewhere = (url: string) => !isOwn(url) && !isOfHere(url);
  const images = [...replica.images()]
    .filter(({ url, stored }) => stored === undefined && URL.canParse(url) && isElsewhere(url))
    .map((image) => `${keyOf(image)} ${image.url}`);
  list(
    'picturesElsewhere',
    'Pictures on other hosts, which are not copied (--pictures-from <host> copies those of a host that serves the pictures of the site)',
    [
      ...images,
      ...postsOf(replica).flatMap((post) =>
        picturesIn(post, source)
          .filter(isElsewhere)
          .map((url) => `${keyOf(post)} ${url}`),
      ),
    ],
  );
}

/** Returns the addresses of the pictures in the texts of a record. */
function picturesIn(post: AnyPost, source: string): string[] {
  const found = textsOf(post).join('\n').matchAll(pictureUrl);
  return [...new Set(Array.from(found).flatMap(([text]) => URL.parse(text, source)?.href ?? []))];
}

/** Returns the addresses of the files of a site, without pictures, to which a record leads. */
function filesOf(post: AnyPost, source: string): string[] {
  const { website = '' } = post;
  const isOwn = ownAddresses(source);
  const texts = textsOf(post).join('\n');
  const found = [...texts.matchAll(attribute), ...`${texts}\n ${website}`.matchAll(address)];
  const left = found.flatMap(([text]) => {
    const url = URL.parse(text.replace(/&(?:amp|#0?38);/g, '&'), pageIn(source, post));
    if (url === null || !isOwn(url.href) || !isFile(url)) return [];
    // Pictures in texts are copied, or named; one that is a website, or relative to the page, is neither.
    const isNamed = url.href !== website && /^(?:[a-z]+:|\/)/i.test(text);
    return pictureName.test(url.pathname) && isNamed ? [] : [url.href];
  });
  return [...new Set(left)];
}

/** Returns the lines of a dry run about the pictures that an import would copy. */
export function dryRunLines(records: Iterable<SourceRecord>, site: PictureSite, target: Target): string[] {
  const { isOwn } = site;
  const urls = new Set<string>();
  for (const { record } of records) {
    if (record.kind === 'image') {
      const current = target.replica.image(record.id);
      if (isOwn(record.url) && (current === undefined || !isCopied(record, current))) urls.add(record.url);
    } else if ('title' in record)
      for (const url of addressesInTexts([record], site, copiedAddresses(target))) urls.add(url);
  }
  return [`pictures: ${urls.size} would be copied`, ...[...urls].map((url) => `  would be copied: ${url}`)];
}
