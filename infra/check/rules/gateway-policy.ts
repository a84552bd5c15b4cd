import type { Finding, Project } from '../model.ts';

const file = 'infra/gateway/policy.xml';
const tag = /<(\/?)([\w-]+)((?:\s+[\w-]+=(?:'[^']*'|"[^"]*"))*)\s*(\/?)>/g;
const needed = {
  'validate-azure-ad-token': 'checks no token',
  'rate-limit-by-key': 'limits no rate',
  'cache-lookup': 'caches nothing',
  'cache-store': 'stores nothing in its cache',
};

/** The gateway's policy is well-formed, does its four duties, refuses with problem+json, and gets every value from both stacks. */
export function gatewayPolicy({ files }: Project): Finding[] {
  const text = (files.get(file) ?? '').replace(/<!--[\s\S]*?-->/g, '');
  const missing = Object.entries(needed).filter(([element]) => !text.includes(`<${element}`));
  const places = new Set([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name));
  const unset = ['infra/bicep/modules/gateway.bicep', 'infra/terraform/modules/gateway/main.tf'].flatMap(
    (stack) =>
      [...places]
        .filter((place) => !new RegExp(`\\b${place}\\b *[:=]`).test(files.get(stack) ?? ''))
        .map((place) => `${stack} gives no value for ${place}`),
  );
  return [
    ...malformed(text),
    ...missing.map(([, finding]) => finding),
    ...unchecked(text),
    ...refusals(text),
    ...unset,
  ].map((message) => ({ file, message: `the policy: ${message}` }));
}

/** A token may be read through the variable of the check only: an unchecked one says what its sender likes. */
function unchecked(text: string): string[] {
  return /\b(?:AsJwt|TryParseJwt)\(/.test(text) ? ['reads a token that nobody has checked'] : [];
}

/** Elements that are not closed, closed twice, or written in a way that is no XML. */
function malformed(text: string): string[] {
  const open: string[] = [];
  for (const [, closes, name = '', , closed] of text.matchAll(tag)) {
    if (closed) continue;
    if (!closes) open.push(name);
    else if (open.pop() !== name) return [`</${name}> closes another element`];
  }
  const rest = text.replace(tag, '');
  const stray = /[<&](?!(?:lt|gt|quot|apos|amp);)/.exec(rest);
  if (stray) return [`"${rest.slice(stray.index, stray.index + 40).trim()}" is not well-formed`];
  return open.length > 0 ? [`<${open.at(-1)}> is not closed`] : [];
}

function refusals(text: string): string[] {
  const replies = text.match(/<return-response>[\s\S]*?<\/return-response>/g) ?? [];
  return replies
    .filter((reply) => !reply.includes('application/problem+json'))
    .map((reply) => `a refusal (${/code="(\d+)"/.exec(reply)?.[1]}) is not application/problem+json`);
}
