/** Returns the plain text of HTML. */
export function plain(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() ?? '';
}
