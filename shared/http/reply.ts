/** Replies: plain values until the last step turns them into bytes. */

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
  /** The status of what a reply wraps that is itself sent as a success. Default: `status`. */
  readonly envelopedStatus?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A plain value or `RawJson` is sent as JSON; a string or bytes as they are, with the `Content-Type` of `headers`. */
  readonly body?: { readonly json: unknown } | { readonly raw: string | Uint8Array };
  /** Called when the host has taken the reply, or when it is dropped. */
  readonly onHandedOver?: () => void;
}

type HeaderValues = Readonly<Record<string, string>>;

/** Says that an earlier request with the same `Idempotency-Key` has created what the reply shows. */
export const replayedHeader = 'Idempotent-Replayed';

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
export function contentReply(
  contentType: string,
  content: string | Uint8Array,
  headers: HeaderValues = {},
): Reply {
  return { status: 200, headers: { ...headers, 'Content-Type': contentType }, body: { raw: content } };
}

/** Creates a reply without a body. */
export function empty(status: number, headers: HeaderValues = {}): Reply {
  return { status, headers };
}

/** Returns the body of a reply as it goes over the wire; undefined for none. */
export function bodyBytes({ body }: Reply): string | Uint8Array | undefined {
  if (body === undefined) return undefined;
  if ('raw' in body) return body.raw;
  return body.json instanceof RawJson ? body.json.content : JSON.stringify(body.json);
}

/** Checks whether caches may give a reply to other callers without asking again, so that it has nothing that is of its request alone. */
export function isShared({ headers = {} }: Reply): boolean {
  return /\bpublic\b.*\bmax-age=[1-9]/.test(headers['Cache-Control'] ?? '');
}

/** Bytes up to which a reply does not count in the byte budget. */
const smallReply = 64 * 1024;

/** Returns the bytes of a reply that count in the byte budget: 0 for one that is small. */
export function largeReplyBytes(reply: Reply): number {
  const size = bodyBytes(reply)?.length ?? 0;
  return size > smallReply ? size : 0;
}
