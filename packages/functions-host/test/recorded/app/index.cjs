/** What the recorded requests go to: functions that tell what the host has handed over, and reply as they are asked to. */

const { app } = require('@azure/functions');

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

async function tell(request, context) {
  const headers = Object.fromEntries(request.headers);
  return {
    jsonBody: {
      function: context.functionName,
      method: request.method,
      url: request.url,
      query: Object.fromEntries(request.query),
      params: request.params,
      headers,
      body: request.body === null ? null : await request.text(),
    },
  };
}

app.http('number', { route: 'number/{id:int}', methods: ['GET'], handler: tell });
app.http('tell', { route: 'tell/{name}', methods, handler: tell });
app.http('z-rest', { route: '{*rest}', methods, handler: tell });
app.http('only-get', { route: 'only-get', methods: ['GET'], handler: tell });

/** Replies with the headers, status and body that the query names. */
app.http('reply', {
  route: 'reply',
  methods,
  handler(request) {
    const { status = '200', body, ...headers } = Object.fromEntries(new URL(request.url).searchParams);
    return { status: Number(status), headers, ...(body === undefined ? {} : { body }) };
  },
});

app.http('cookies', {
  route: 'cookies',
  methods: ['GET'],
  handler: () => ({
    cookies: [
      { name: 'a', value: 'b c', maxAge: 60, httpOnly: true, sameSite: 'Lax' },
      { name: 'd', value: 'e', path: '/api', secure: true, sameSite: 'None' },
    ],
  }),
});

app.http('fails', {
  route: 'fails',
  methods: ['GET'],
  handler() {
    throw new Error('This function fails.');
  },
});
