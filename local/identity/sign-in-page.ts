/** The page on which a developer chooses who to be: plain HTML, no scripts, usable with keyboard and screen reader. */

import type { SampleUser } from '../sample-data/users.ts';
import type { Reply } from './http.ts';

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
};

const style = `
  :root { color-scheme: light dark; }
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }
  ul { list-style: none; padding: 0; }
  li { margin: 0.5rem 0; }
  button { font: inherit; text-align: start; width: 100%; padding: 0.75rem 1rem; cursor: pointer; }
  button span { display: block; }`;

/** The choice of users; the form goes back to `action` with the field `email`. */
export function signInPage(users: readonly SampleUser[], action: string): Reply {
  const choices = users.map((user) => `<li>${choice(user)}</li>`).join('\n      ');
  return page(
    200,
    'Choose a sample user',
    `<p>This is the local issuer for development. There are no passwords: choose who to sign in as.</p>
    <form method="post" action="${escaped(action)}">
      <ul>
      ${choices}
      </ul>
    </form>`,
  );
}

/** A sign-in that cannot continue, and cannot be sent back to the application that asked for it. */
export function signInProblem(problem: string): Reply {
  return page(400, 'Cannot sign in', `<p>${escaped(problem)}</p>`);
}

function choice({ email, name, roles, language }: SampleUser): string {
  const remarks = language === undefined ? ['unknown to the records API'] : [];
  const facts = [email, roles.length > 0 ? roles.join(', ') : 'no roles', ...remarks].join(' · ');
  return `<button name="email" value="${escaped(email)}"><strong>${escaped(name)}</strong> <span>${escaped(facts)}</span></button>`;
}

function page(status: number, title: string, content: string): Reply {
  const body = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title}</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
    <h1>${title}</h1>
    ${content}
    </main>
  </body>
</html>
`;
  return { status, headers, body };
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
