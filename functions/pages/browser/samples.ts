/** A request as code of several languages. The token stays a variable. */

export interface Request {
  readonly url: string;
  readonly init: { readonly method: string; readonly headers: Headers; readonly body?: string };
}

type Write = (request: Request, headers: readonly (readonly [string, string])[]) => string;

/** Writers of code by the names of their languages. */
export const languages: Readonly<Record<string, Write>> = {
  curl: ({ url, init: { method, body } }, headers) => {
    const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
    const lines = headers.map(([name, value]) =>
      name === 'authorization' ? `-H "Authorization: Bearer $TOKEN"` : `-H ${quoted(`${name}: ${value}`)}`,
    );
    const data = body === undefined ? [] : [`-d ${quoted(body)}`];
    return ['curl', ...(method === 'GET' ? [] : [`-X ${method}`]), ...lines, ...data, quoted(url)].join(' ');
  },
  TypeScript: ({ url, init: { method, body } }, headers) =>
    [
      `const reply = await fetch(${JSON.stringify(url)}, {`,
      `  method: '${method}',`,
      '  headers: {',
      ...headers.map(([name, value]) =>
        name === 'authorization'
          ? "    authorization: 'Bearer ' + token,"
          : `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
      ),
      '  },',
      ...(body === undefined ? [] : [`  body: ${JSON.stringify(body)},`]),
      '});',
      'console.log(reply.status, await reply.text());',
    ].join('\n'),
  'C#': ({ url, init: { method, body } }, headers) => {
    const type = headers.find(([name]) => name === 'content-type')?.[1] ?? 'application/json';
    return [
      'using var client = new HttpClient();',
      `using var request = new HttpRequestMessage(new HttpMethod("${method}"), ${JSON.stringify(url)});`,
      ...headers
        .filter(([name]) => name !== 'content-type')
        .map(([name, value]) => {
          const text = name === 'authorization' ? '$"Bearer {token}"' : JSON.stringify(value);
          return `request.Headers.TryAddWithoutValidation("${name}", ${text});`;
        }),
      ...(body === undefined
        ? []
        : [
            `request.Content = new StringContent(${JSON.stringify(body)}, System.Text.Encoding.UTF8, ${JSON.stringify(type)});`,
          ]),
      'using var reply = await client.SendAsync(request);',
      'Console.WriteLine($"{(int)reply.StatusCode} {await reply.Content.ReadAsStringAsync()}");',
    ].join('\n');
  },
  Python: ({ url, init: { method, body } }, headers) =>
    [
      'import requests',
      '',
      'reply = requests.request(',
      `    "${method}",`,
      `    ${JSON.stringify(url)},`,
      '    headers={',
      ...headers.map(([name, value]) =>
        name === 'authorization'
          ? '        "authorization": f"Bearer {token}",'
          : `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
      ),
      '    },',
      ...(body === undefined ? [] : [`    data=${JSON.stringify(body)}.encode(),`]),
      ')',
      'print(reply.status_code, reply.text)',
    ].join('\n'),
};

/** Writes a request in a language. */
export function sampleOf(language: string, request: Request): string {
  return languages[language]?.(request, [...request.init.headers]) ?? '';
}
