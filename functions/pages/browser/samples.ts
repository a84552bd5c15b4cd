/** A request as code of several languages. The token stays a variable. */

export interface Request {
  readonly url: string;
  readonly init: { readonly method: string; readonly headers: Headers; readonly body?: string };
}

type Write = (request: Request) => readonly string[];

const quote = JSON.stringify;

/** Writes each header by its name and value; `token` is what stands for the header with the token. */
function headersOf(
  { init }: Request,
  token: string,
  write: (name: string, value: string) => string,
): string[] {
  const names = [...init.headers];
  return names.map(([name, value]) => (name === 'authorization' ? token : write(name, value)));
}

/** Returns what writes a member of an object, as TypeScript and Python do. */
const member = (indent: string) => (name: string, value: string) =>
  `${indent}${quote(name)}: ${quote(value)},`;

/** Writers of the lines of code, by the names of their languages. */
const writers: Readonly<Record<string, Write>> = {
  curl: (request) => {
    const { url, init } = request;
    const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
    const token = '-H "Authorization: Bearer $TOKEN"';
    const headers = headersOf(request, token, (name, value) => `-H ${inShell(`${name}: ${value}`)}`);
    const method = init.method === 'GET' ? [] : [`-X ${init.method}`];
    const body = init.body === undefined ? [] : [`-d ${inShell(init.body)}`];
    return [['curl', ...method, ...headers, ...body, inShell(url)].join(' ')];
  },
  TypeScript: (request) => [
    `const reply = await fetch(${quote(request.url)}, {`,
    `  method: '${request.init.method}',`,
    '  headers: {',
    ...headersOf(request, "    authorization: 'Bearer ' + token,", member('    ')),
    '  },',
    ...(request.init.body === undefined ? [] : [`  body: ${quote(request.init.body)},`]),
    '});',
    'console.log(reply.status, await reply.text());',
  ],
  'C#': (request) => {
    const { url, init } = request;
    const add = (name: string, value: string) =>
      `request.Headers.TryAddWithoutValidation("${name}", ${value});`;
    const headers = headersOf(request, add('authorization', '$"Bearer {token}"'), (name, value) =>
      name === 'content-type' ? '' : add(name, quote(value)),
    );
    const type = quote(init.headers.get('content-type') ?? 'application/json');
    const content = `new StringContent(${quote(init.body)}, System.Text.Encoding.UTF8, ${type})`;
    return [
      'using var client = new HttpClient();',
      `using var request = new HttpRequestMessage(new HttpMethod("${init.method}"), ${quote(url)});`,
      ...headers.filter(Boolean),
      ...(init.body === undefined ? [] : [`request.Content = ${content};`]),
      'using var reply = await client.SendAsync(request);',
      'Console.WriteLine($"{(int)reply.StatusCode} {await reply.Content.ReadAsStringAsync()}");',
    ];
  },
  Python: (request) => [
    'import requests',
    '',
    'reply = requests.request(',
    `    "${request.init.method}",`,
    `    ${quote(request.url)},`,
    '    headers={',
    ...headersOf(request, '        "authorization": f"Bearer {token}",', member('        ')),
    '    },',
    ...(request.init.body === undefined ? [] : [`    data=${quote(request.init.body)}.encode(),`]),
    ')',
    'print(reply.status_code, reply.text)',
  ],
};

export const languages = Object.keys(writers);

/** Writes a request in a language. */
export function sampleOf(language: string, request: Request): string {
  return writers[language]?.(request).join('\n') ?? '';
}
