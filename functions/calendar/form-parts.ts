/** Forms in parts (RFC 7578), within limits of what they cost to be read. */

import { CodedError } from '../../shared/errors.ts';
import { mustHaveFewNames } from '../../shared/http/body.ts';

/** Header fields of a part, at most. */
const maxFields = 16;

/** Returns the texts of a form with their names; files are left out. Throws `form-too-large` where there are more than so many parts, and `invalid-form`. */
export async function textsOfParts(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  maxParts: number,
): Promise<readonly (readonly [name: string, text: string])[]> {
  const pieces = `\n${Buffer.from(bytes).toString('latin1')}`.split('\n--', maxParts + 3);
  mustHaveFewNames(pieces.length - 2, maxParts);
  const [, boundary = ''] = /boundary="?([^";]+)/i.exec(type) ?? [];
  if (pieces.some((piece) => piece.startsWith(boundary) && hasLongHead(piece))) throw invalidForm();
  const parts = await parsedParts(bytes, type);
  return [...parts].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
}

/** Checks whether a part has more header fields than any should: each takes a while to be read. */
function hasLongHead(part: string): boolean {
  const lines = part.split('\n', maxFields + 2);
  return lines.length > maxFields + 1 && !lines.includes('\r');
}

async function parsedParts(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'Content-Type': type } }).formData();
  } catch (cause) {
    throw invalidForm(cause);
  }
}

function invalidForm(cause?: unknown): CodedError {
  return new CodedError('invalid-form', 'Cannot read the body: it is not a form in parts.', { cause });
}
