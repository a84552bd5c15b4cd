/** Names of sources: the address of a site, by which a later import finds the records of an earlier one. */

/** The prefix of the subject of an author of another calendar. It cannot collide with a user of the tenant. */
const importedPrefix = 'import:';

/** Returns the subject of an author of another calendar. */
export function importedSubject(source: string, author: number | string = ''): string {
  return `${importedPrefix}${source}#${author}`;
}

/** Checks whether a subject is that of an author of another calendar. */
export function isImported(subject: string): boolean {
  return subject.startsWith(importedPrefix);
}

/** Checks whether two subjects name the same author: `http`, `https` and `www.` make no other source. */
export function isSameSubject(a: string, b: string): boolean {
  return a === b || (isImported(a) && canonical(a) === canonical(b));
}

/** Checks whether a subject is that of an author of a source. */
export function isOfSource(subject: string, source: string): boolean {
  const [, imported] = new RegExp(`^${importedPrefix}(.*)#[^#]*$`, 's').exec(subject) ?? [];
  return imported !== undefined && canonical(imported) === canonical(source);
}

/** Checks whether two addresses name the same source. */
export function isSameSource(a: string, b: string): boolean {
  return canonical(a) === canonical(b);
}

function canonical(text: string): string {
  return text.replace(/^(import:)?https?:\/\/(?:www\.)?/i, '$1').toLowerCase();
}

/** Returns the host of an address, without `www.`: http, https and `www.` make no other site. */
export function hostOf(url: string): string {
  return new URL(url).host.replace(/^www\./i, '').toLowerCase();
}

/** Checks whether an address is one of the site that is imported. */
export type IsOwn = (url: string) => boolean;

/** Returns the check whether an address is one of a site, or of further hosts that its operator trusts as much. */
export function ownAddresses(source: string, further: readonly string[] = []): IsOwn {
  const hosts = new Set([source, ...further.map((host) => `https://${host}`)].map(hostOf));
  return (url) => URL.canParse(url) && hosts.has(hostOf(url));
}
