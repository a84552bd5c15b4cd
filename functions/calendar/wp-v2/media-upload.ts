/** The file of an upload: the body itself, or a part of a form (RFC 7578). The only importer of @fastify/busboy. */

import { Readable } from 'node:stream';
import type { Busboy as BusboyConstructor, BusboyFileStream } from '@fastify/busboy';
import type { RawParameters } from '../../../shared/calendar/model/context.ts';
import type { PictureFile } from '../../../shared/calendar/picture-library.ts';
import { maxPictureBytes, mustFitPicture } from '../../../shared/calendar/pictures/upload.ts';
import { CodedError } from '../../../shared/errors.ts';
import { hasBody, mediaType } from '../../../shared/http/body.ts';
import type { IncomingRequest } from '../../../shared/http/request.ts';
import { fromPairs } from '../input.ts';

type Form = InstanceType<typeof BusboyConstructor>;

/** Texts of a form, and the bytes of each and of its name, at most. */
const [maxTexts, maxTextBytes, maxNameBytes] = [50, 64 * 1024, 200];
const formLimits = {
  ...{ fields: maxTexts, fieldSize: maxTextBytes, fieldNameSize: maxNameBytes, files: 1, headerPairs: 20 },
  // One byte more than a picture may have, by which the excess is noticed.
  fileSize: maxPictureBytes + 1,
};

/** Passes the file of a request on while it arrives. Throws a CodedError for a request without one. */
export async function withFile<T>(
  request: IncomingRequest,
  query: RawParameters,
  use: (file: PictureFile) => Promise<T>,
): Promise<T> {
  const { headers } = request;
  mustFitPicture(headers.get('content-length'));
  if (!hasBody(request) || request.body === null) throw noData();
  const md5 = headers.get('content-md5') ?? undefined;
  if (mediaType(headers) === 'multipart/form-data')
    return withPart(request.body, headers, { query, md5 }, use);
  const name = fileNameIn(headers.get('content-disposition') ?? '');
  if (name === undefined)
    throw new CodedError(
      'rest_upload_no_content_disposition',
      'Cannot store the picture: Content-Disposition names no file.',
      { hint: 'Send Content-Disposition: attachment; filename="name.jpg", or a form with the field file.' },
    );
  return use({ name, chunks: request.body, md5, texts: () => query });
}

interface FormOptions {
  readonly query: RawParameters;
  readonly md5: string | undefined;
}

async function withPart<T>(
  body: AsyncIterable<Uint8Array>,
  headers: IncomingRequest['headers'],
  { query, md5 }: FormOptions,
  use: (file: PictureFile) => Promise<T>,
): Promise<T> {
  const source = Readable.from(body, { objectMode: false });
  const texts: [string, string][] = [];
  const form = await createForm(headers.get('content-type') ?? '');
  const opened = Promise.withResolvers<{ readonly name: string; readonly stream: BusboyFileStream }>();
  const read = Promise.withResolvers<void>();
  const fail = (error: unknown) => {
    opened.reject(error);
    read.reject(error);
  };
  read.promise.catch(() => {});
  form.on('field', (name, value) => texts.push([name, value]));
  form.on('file', (field, stream, name) => {
    if (field === 'file') opened.resolve({ name, stream });
    else stream.resume();
  });
  form.on('finish', () => {
    opened.reject(noData());
    read.resolve();
  });
  form.on('error', (cause) => fail(invalidForm(cause)));
  source.on('error', fail);
  source.pipe(form);
  try {
    const { name, stream } = await opened.promise;
    const all = async () => {
      await read.promise;
      return { ...query, ...fromPairs(texts) };
    };
    return await use({ name, chunks: chunksOf(stream), md5, texts: all });
  } finally {
    source.unpipe(form);
    source.destroy();
  }
}

/** Passes on the bytes of a part. One that ends early is no form. */
async function* chunksOf(stream: BusboyFileStream): AsyncGenerator<Uint8Array> {
  const iterator = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  for (;;) {
    const { done, value } = await iterator.next().catch((cause: unknown) => {
      throw invalidForm(cause);
    });
    if (done === true) return;
    yield value;
  }
}

/** Creates the parser of a form; its library is loaded on first use. */
async function createForm(type: string): Promise<Form> {
  const { default: parser } = await import('@fastify/busboy');
  const Busboy = parser as unknown as typeof BusboyConstructor;
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: formLimits });
  } catch (cause) {
    throw invalidForm(cause);
  }
}

/** Returns the name in a Content-Disposition (RFC 6266); undefined without one. Many clients send UTF-8 bytes. */
function fileNameIn(disposition: string): string | undefined {
  const [, encoded] = /;\s*filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(disposition) ?? [];
  if (encoded !== undefined && !/%(?![\da-f]{2})/i.test(encoded))
    return Buffer.from(unescaped(encoded), 'latin1').toString();
  const [, quoted, token] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const name = quoted?.replace(/\\(.)/g, '$1') ?? token;
  return name === undefined ? undefined : fromBytes(name);
}

/** Replaces percent-encoded bytes by characters of the same number. */
function unescaped(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Reads the bytes of a header as UTF-8 where they are. */
function fromBytes(text: string): string {
  const utf8 = Buffer.from(text, 'latin1').toString();
  return utf8.includes('\ufffd') ? text : utf8;
}

function noData(): CodedError {
  return new CodedError('rest_upload_no_data', 'Cannot store the picture: the request has no file.');
}

function invalidForm(cause: unknown): CodedError {
  return new CodedError('invalid-form', 'Cannot read the body: it is not a form in parts.', { cause });
}
