/** Addresses of WordPress that name a record by its id or slug in the query, such as `/?post_type=tribe_events&p=371`: they lead to its page. */

import { CodedError } from '../../shared/errors.ts';
import { empty, type Reply } from '../../shared/http/reply.ts';
import { imageUrl } from '../calendar/model/image-url.ts';
import type { PostKind } from '../calendar/model/values.ts';
import type { PageAsked } from '../calendar/read/page-places.ts';
import { type CalendarCall, requestOf } from '../calendar/wire/input.ts';

/** The post types of The Events Calendar, and the kinds of records that they are here. */
const postTypes = {
  tribe_events: 'event',
  tribe_venue: 'venue',
  tribe_organizer: 'organizer',
} as const;
const everyKind = Object.values(postTypes);

/** What such an address names: the page of a record, or a picture, whose page is its file. */
type PostAsked = PageAsked | { readonly picture: number };

const idForm = /^[1-9]\d{0,14}$/;
const dayForm = /^\d{4}-\d\d-\d\d$/;

/** Names of the query that are not repeated by the address of the page. */
const namesOfPost = ['p', 'attachment_id', 'post_type', 'preview', 'eventDate', ...Object.keys(postTypes)];

/** Returns the record that the query of an address names; undefined where it names none. */
export function postAsked({ searchParams }: URL): PostAsked | undefined {
  const attachment = searchParams.get('attachment_id') ?? '';
  if (idForm.test(attachment)) return { picture: Number(attachment) };
  const p = searchParams.get('p') ?? '';
  const type = searchParams.get('post_type') ?? '';
  const kinds = type === '' ? everyKind : Object.hasOwn(postTypes, type) ? [kindOf(type)] : [];
  if (idForm.test(p)) return { kinds, id: Number(p) };
  const [name] = Object.keys(postTypes).filter((name) => searchParams.get(name));
  if (name === undefined) return undefined;
  // The address of an occurrence of Events Calendar Pro, on a site without words in its addresses.
  const day = searchParams.get('eventDate') ?? '';
  return {
    kind: kindOf(name),
    slug: searchParams.get(name) ?? '',
    ...(dayForm.test(day) ? { day } : {}),
  };
}

function kindOf(type: string): PostKind {
  return postTypes[type as keyof typeof postTypes];
}

/** Leads to the page of a record. What everybody may not open is not there. */
export async function postRedirect(call: CalendarCall, asked: PostAsked): Promise<Reply> {
  const request = { ...requestOf(call), parameters: {} };
  if ('picture' in asked) {
    const { value: picture } = await call.calendar().pictures.read(asked.picture, request);
    if (picture === undefined) throw nothingThere();
    return empty(301, { Location: imageUrl(picture.image, request.root) });
  }
  const { value: place } = await call.calendar().pagePlace(asked, request);
  if (place === undefined) throw nothingThere();
  const query = new URLSearchParams(call.request.url.searchParams);
  for (const name of namesOfPost) query.delete(name);
  const search = query.size === 0 ? '' : `?${query}`;
  return empty(301, { Location: call.siteLink(place + search) });
}

function nothingThere(): CodedError {
  return new CodedError('no-such-path', 'Cannot answer: this address names nothing that exists.');
}
