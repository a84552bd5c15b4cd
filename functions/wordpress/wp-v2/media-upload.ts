/** The files of an upload: the body itself, or parts of a form (RFC 7578). The only importer of @fastify/busboy. */

import { on } from 'node:events';
import { Readable } from 'node:stream';
import type { Busboy as BusboyConstructor, BusboyFileStream } from '@fastify/busboy';
import { CodedError } from '../../../shared/errors.ts';
import { hasBody, mediaType } from '../../../shared/http/body.ts';
import type { IncomingRequest } from '../../../shared/http/request.ts';
import { fromPairs } from '../../calendar/input.ts';
import type { RawParameters } from '../../calendar/model/calendar-context.ts';
import type { PictureUpload } from '../../calendar/picture-library.ts';
import { maxPictureBytes, mustFitPicture } from '../../calendar/pictures/upload.ts';
import type { PictureFile } from '../../calendar/pictures/upload-files.ts';

type Form = InstanceType<typeof BusboyConstructor>;

/** Texts of a form, and the bytes of each and of its name, at most. */
const maxTexts = 50;
const maxTextBytes = 64 * 1024;
const maxNameBytes = 200;
/** Files of a form, at most: a picture, its sizes, and some that are ignored. */
const maxFiles = 20;
const formLimits = {
  fields: maxTexts,
  fieldSize: maxTextBytes,
  fieldNameSize: maxNameBytes,
  files: maxFiles,
  headerPairs: 20,
  // One byte more than a picture may have, so that the excess is noticed.
  fileSize: maxPictureBytes + 1,
};

/** Passes the files of a request to `use` while they arrive. Throws a CodedError for a request without one. */
export async function withUpload<T>(
  request: IncomingRequest,
  query: RawParameters,
  use: (upload: PictureUpload) => Promise<T>,
): Promise<T> {
  const { headers } = request;
  mustFitPicture(headers.get('content-length'));
  if (!hasBody(request) || request.body === null) throw noData();
  const md5 = headers.get('content-md5') ?? undefined;
  if (mediaType(headers) === 'multipart/form-data')
    return withForm(request.body, headers, { query, md5 }, use);
  const name = fileNameIn(headers.get('content-disposition') ?? '');
  if (name === undefined)
    throw new CodedError(
      'rest_upload_no_content_disposition',
      'Cannot store the picture: Content-Disposition names no file.',
      { hint: 'Send Content-Disposition: attachment; filename="name.jpg", or a form with the field file.' },
    );
  const files = Readable.from([{ size: undefined, name, chunks: request.body, md5 }]);
  return use({ files, texts: () => query });
}

interface FormOptions {
  readonly query: RawParameters;
  readonly md5: string | undefined;
}

async function withForm<T>(
  body: AsyncIterable<Uint8Array>,
  headers: IncomingRequest['headers'],
  { query, md5 }: FormOptions,
  use: (upload: PictureUpload) => Promise<T>,
): Promise<T> {
  const source = Readable.from(body, { objectMode: false });
  const form = await createForm(headers.get('content-type') ?? '');
  const texts: [string, string][] = [];
  // A refused upload stops reading the form, and nothing else listens for an error that comes later.
  form.on('error', () => source.destroy());
  form.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) form.destroy(tooLargeForm());
    texts.push([name, value]);
  });
  form.on('fieldsLimit', () => form.destroy(tooLargeForm()));
  form.on('filesLimit', () => form.destroy(tooLargeForm()));
  const files = filesOf(form, md5);
  source.on('error', (error) => form.destroy(error));
  source.pipe(form);
  try {
    return await use({ files, texts: () => ({ ...query, ...fromPairs(texts) }) });
  } finally {
    source.unpipe(form);
    source.destroy();
  }
}

/** Returns the files of a form as they begin: the field `file`, and the fields `sizes[name]`. Listens at once. */
function filesOf(form: Form, md5: string | undefined): AsyncIterable<PictureFile> {
  const parts = on(form, 'file', { close: ['finish'] });
  return {
    async *[Symbol.asyncIterator]() {
      try {
        for await (const [field, stream, name] of parts as AsyncIterable<
          [string, BusboyFileStream, string]
        >) {
          form.on('error', (error) => stream.destroy(error as Error));
          const [, size] = /^sizes\[(.*)\]$/.exec(field) ?? [];
          if (field === 'file') yield { size: undefined, name, chunks: chunksOf(stream), md5 };
          else if (size !== undefined) yield { size, name, chunks: chunksOf(stream) };
          else stream.resume();
        }
      } catch (error) {
        throw error instanceof CodedError ? error : invalidForm(error);
      }
    },
  };
}

/** Yields the bytes of a part. Throws where a part ends early. */
async function* chunksOf(stream: BusboyFileStream): AsyncGenerator<Uint8Array> {
  const iterator = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  for (;;) {
    const { done, value } = await iterator.next().catch((cause: unknown) => {
      throw cause instanceof CodedError ? cause : invalidForm(cause);
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

function tooLargeForm(): CodedError {
  return new CodedError(
    'form-too-large',
    `Cannot read the body: it has more than ${maxTexts} texts, ${maxFiles} files, or a text of more than ${maxTextBytes} bytes.`,
  );
}

function invalidForm(cause: unknown): CodedError {
  return new CodedError('invalid-form', 'Cannot read the body: it is not a form in parts.', { cause });
}
