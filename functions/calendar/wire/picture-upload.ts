/** The files of an upload: the body itself, or parts of a form. */

import { CodedError } from '../../../shared/errors.ts';
import { hasBody, mediaType } from '../../../shared/http/body.ts';
import { readContentDisposition } from '../../../shared/http/content-disposition.ts';
import { partsOf } from '../../../shared/http/form-parts.ts';
import type { IncomingRequest } from '../../../shared/http/request.ts';
import type { RawParameters } from '../model/calendar-context.ts';
import type { PictureUpload } from '../operations/picture-library.ts';
import { mustFitPicture } from '../pictures/upload.ts';
import type { PictureFile } from '../pictures/upload-files.ts';
import { fromPairs } from './input.ts';

/** What the form of an upload has, at most: a picture, its sizes, its texts, and some that are ignored. */
const formLimits = { texts: 50, textBytes: 64 * 1024, files: 20 };

/** Returns the files of a request, which are read while they arrive. Throws a CodedError for a request without one. */
export function uploadOf(request: IncomingRequest, query: RawParameters): PictureUpload {
  const { headers, body } = request;
  mustFitPicture(headers.get('content-length'));
  if (!hasBody(request) || body === null) throw noData();
  const md5 = headers.get('content-md5') ?? undefined;
  if (mediaType(headers) === 'multipart/form-data') {
    const texts: [string, string][] = [];
    return {
      files: filesOf(body, headers.get('content-type') ?? '', md5, texts),
      texts: () => ({ ...query, ...fromPairs(texts) }),
    };
  }
  const { fileName: name } = readContentDisposition(headers.get('content-disposition') ?? '');
  if (name === undefined)
    throw new CodedError(
      'rest_upload_no_content_disposition',
      'Cannot store the picture: Content-Disposition names no file.',
      { hint: 'Send Content-Disposition: attachment; filename="name.jpg", or a form with the field file.' },
    );
  return { files: fileOf(body, name, md5), texts: () => query };
}

async function* fileOf(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  md5: string | undefined,
): AsyncGenerator<PictureFile> {
  yield { size: undefined, name, chunks, md5 };
}

/** Returns the files of a form as they begin: the field `file`, and the fields `sizes[name]`. Adds its texts to `texts`. */
async function* filesOf(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  md5: string | undefined,
  texts: [string, string][],
): AsyncGenerator<PictureFile> {
  for await (const part of partsOf(body, contentType, formLimits)) {
    if ('text' in part) {
      texts.push([part.name, part.text]);
      continue;
    }
    const { name: field, fileName: name, chunks } = part;
    const [, size] = /^sizes\[(.*)\]$/.exec(field) ?? [];
    if (field === 'file') yield { size: undefined, name, chunks, md5 };
    else if (size !== undefined) yield { size, name, chunks };
  }
}

function noData(): CodedError {
  return new CodedError('rest_upload_no_data', 'Cannot store the picture: the request has no file.');
}
