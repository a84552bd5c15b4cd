/** The `Request` of fetch that the library of the platform makes of an HTTP request. The build puts it in the place of the global one. */

type RequestInitOfNode = RequestInit & { duplex?: 'half' };

/** Creates a request whose bytes are handed on as they are, since fetch would copy them twice before anybody asks for them: megabytes that are then refused for their token. */
function createRequest(url: string, init: RequestInitOfNode): globalThis.Request {
  const { body } = init;
  if (!(body instanceof Uint8Array)) return new globalThis.Request(url, init);
  return new globalThis.Request(url, { ...init, body: streamOf(body), duplex: 'half' } as RequestInitOfNode);
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

/** What `new Request()` is in the bundle. */
export const Request = createRequest as unknown as typeof globalThis.Request;
