/** Addresses of WordPress that name a record by its id or slug in the query, such as `/?post_type=tribe_events&p=371`: they lead to its page. */

import { CodedError, isCodedError } from '../../shared/errors.ts';
import { empty, type Reply } from '../../shared/http/reply.ts';
import { collections, type PostKind } from '../calendar/model/values.ts';
import { type CalendarCall, requestOf } from '../calendar/wire/input.ts';

/** The post types of The Events Calendar, and the kinds of records that they are here. */
const postTypes = {
  tribe_events: 'event',
  tribe_venue: 'venue',
  tribe_organizer: 'organizer',
} as const;
const everyKind = Object.values(postTypes);

/** A record that an address names: by its id, of one kind or any, or by its slug. */
type PostAsked =
  | { readonly kinds: readonly PostKind[]; readonly id: number }
  | { readonly kind: PostKind; readonly slug: string };

/** Names of the query that are not repeated by the address of the page. */
const namesOfPost = ['p', 'post_type', 'preview', ...Object.keys(postTypes)];

/** Returns the record that the query of an address names; undefined where it names none. */
export function postAsked({ searchParams }: URL): PostAsked | undefined {
  const p = searchParams.get('p') ?? '';
  const type = searchParams.get('post_type') ?? '';
  const kinds = type === '' ? everyKind : Object.hasOwn(postTypes, type) ? [kindOf(type)] : [];
  if (/^[1-9]\d{0,14}$/.test(p)) return { kinds, id: Number(p) };
  const [name] = Object.keys(postTypes).filter((name) => searchParams.get(name));
  return name === undefined ? undefined : { kind: kindOf(name), slug: searchParams.get(name) ?? '' };
}

function kindOf(type: string): PostKind {
  return postTypes[type as keyof typeof postTypes];
}

/** Leads to the page of a record. What the caller may not read is not there. */
export async function postRedirect(call: CalendarCall, asked: PostAsked): Promise<Reply> {
  const place = 'slug' in asked ? asked : await placeOf(call, asked);
  if (place === undefined)
    throw new CodedError('no-such-path', 'Cannot answer: this address names nothing that exists.');
  const query = new URLSearchParams(call.request.url.searchParams);
  for (const name of namesOfPost) query.delete(name);
  const search = query.size === 0 ? '' : `?${query}`;
  return empty(301, { Location: call.siteLink(`/${place.kind}/${place.slug}/${search}`) });
}

async function placeOf(call: CalendarCall, { kinds, id }: Extract<PostAsked, { readonly id: number }>) {
  for (const kind of kinds) {
    const slug = kind === 'event' ? await eventSlug(call, id) : await contactSlug(call, kind, id);
    if (slug !== undefined) return { kind, slug };
  }
  return undefined;
}

/** The list also has events that a password protects, whose page asks for it. */
async function eventSlug(call: CalendarCall, id: number): Promise<string | undefined> {
  const parameters = { include: [id], include_hidden: true, status: 'publish' };
  const { value } = await call.calendar().list('event', { ...requestOf(call), parameters });
  return JSON.parse(value.bytes.toString())[collections.event][0]?.slug;
}

async function contactSlug(call: CalendarCall, kind: PostKind, id: number): Promise<string | undefined> {
  try {
    const { value } = await call.calendar().read(kind, { id }, { ...requestOf(call), parameters: {} });
    const { slug, status } = JSON.parse(value.text);
    return status === 'publish' ? slug : undefined;
  } catch (error) {
    if (isCodedError(error) && ['invalid', 'forbidden', 'not-found'].includes(error.kind)) return undefined;
    throw error;
  }
}
