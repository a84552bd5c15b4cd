/** Replies: plain values until the last step turns them into bytes; 304 for a representation that the caller has (RFC 9110 13). */

/** JSON that is already text, or bytes in UTF-8; it goes out as it is. */
export class RawJson {
  readonly content: string | Uint8Array;
  constructor(content: string | Uint8Array) {
    this.content = content;
  }

  get text(): string {
    return typeof this.content === 'string' ? this.content : new TextDecoder().decode(this.content);
  }
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A plain value or `RawJson` is sent as JSON; a string or bytes as they are, with the `Content-Type` of `headers`. */
  readonly body?: { readonly json: unknown } | { readonly raw: string | Uint8Array };
  /** Called when the host has taken the reply, or when it is dropped. */
  readonly onHandedOver?: () => void;
}

type HeaderValues = Readonly<Record<string, string>>;

/** Creates a JSON reply; status 200 unless told. */
export function json(
  value: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: HeaderValues } = {},
): Reply {
  return { status, headers, body: { json: value } };
}

/** Creates a reply to a creation: 201 with the URL of what is new. */
export function created(location: string, value: unknown, headers: HeaderValues = {}): Reply {
  return json(value, { status: 201, headers: { ...headers, Location: location } });
}

/** Creates a reply that is not JSON, such as a page or a style sheet. */
export function raw(contentType: string, content: string | Uint8Array, headers: HeaderValues = {}): Reply {
  return { status: 200, headers: { ...headers, 'Content-Type': contentType }, body: { raw: content } };
}

/** Creates a reply without a body. */
export function empty(status: number, headers: HeaderValues = {}): Reply {
  return { status, headers };
}

/** Returns the body of a reply as it goes over the wire. */
export function bodyBytes({ body }: Reply): string | Uint8Array | undefined {
  if (body === undefined) return undefined;
  if ('raw' in body) return body.raw;
  return body.json instanceof RawJson ? body.json.content : JSON.stringify(body.json);
}

const entityTag = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Reads a list of entity tags, or `*`; undefined when the header is absent. */
export function entityTags(value: string | null): readonly string[] | '*' | undefined {
  if (value === null) return undefined;
  return value.trim() === '*' ? '*' : (value.match(entityTag) ?? []);
}

/** Turns a 200 into a 304 when the caller already has the representation that its `ETag` names (weak comparison). */
export function notModified(reply: Reply, requestHeaders: Headers): Reply {
  const current = reply.headers?.['ETag'];
  const tags = entityTags(requestHeaders.get('if-none-match'));
  if (reply.status !== 200 || current === undefined || tags === undefined) return reply;
  if (tags !== '*' && !tags.some((tag) => opaque(tag) === opaque(current))) return reply;
  const { 'Content-Type': _, ...headers } = reply.headers ?? {};
  return { status: 304, headers };
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}
