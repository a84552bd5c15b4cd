/** Which media type a caller prefers (RFC 9110 12.5.1). */

import type { RequestHeaders } from './request.ts';

interface Range {
  readonly type: string;
  readonly quality: number;
}

/** Checks whether `Accept` prefers a media type to the one that is replied otherwise. It does so by a higher quality, or by naming the type with the quality of a wildcard that covers the other. */
export function prefers(headers: RequestHeaders, wanted: string, fallback: string): boolean {
  const ranges = rangesOf(headers.get('accept') ?? '');
  const mine = rangeFor(wanted, ranges);
  const other = rangeFor(fallback, ranges);
  if (mine === undefined || mine.quality === 0) return false;
  if (mine.quality !== (other?.quality ?? 0)) return mine.quality > (other?.quality ?? 0);
  return mine.type === wanted && other?.type !== fallback;
}

function rangesOf(accept: string): Range[] {
  return accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((item) => item.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
  });
}

/** Returns the range that says most of a type. */
function rangeFor(type: string, ranges: readonly Range[]): Range | undefined {
  const [group = ''] = type.split('/');
  return [type, `${group}/*`, '*/*']
    .map((item) => ranges.find((range) => range.type === item))
    .find((range) => range !== undefined);
}
