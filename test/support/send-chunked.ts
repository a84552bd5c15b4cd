/** Sends JSON the way of clients that do not know its length (Transfer-Encoding: chunked, RFC 9112 7.1), and gives the reply. */
export async function sendChunked(
  url: string,
  method: string,
  json: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly json: unknown }> {
  const request = {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: new Blob([json]).stream(),
    duplex: 'half',
  };
  const response = await fetch(url, request);
  return { status: response.status, json: await response.json() };
}
