/**
 * Writes a value as one segment of a path. A slash is encoded twice: Azure decodes a path once more than others before
 * it looks for the route, so that `%2F` would be two segments there.
 */
export function pathSegment(value: string): string {
  return encodeURIComponent(value).replaceAll('%2F', '%252F');
}
