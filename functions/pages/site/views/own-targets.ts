/** Targets of links inside of a text, apart from those of the page around it. */

/** A tag of sanitized HTML, which has no other `<` and `>`. */
const tag = /<[^<>]+>/g;
const target = / (id|name|href)="(#?)([^"]*)"/g;

/** Returns sanitized HTML whose ids, and the links to them, are none that a page has itself. */
export function withOwnTargets(html: string): string {
  return html.replace(tag, (text) =>
    text.replace(target, (attribute, name: string, hash: string, value: string) => {
      const isLink = name === 'href';
      if (value === '' || isLink !== (hash === '#')) return attribute;
      return ` ${name}="${hash}text-${value}"`;
    }),
  );
}
