/** Forms in parts (RFC 7578), read while they arrive. The only importer of @fastify/busboy. */

import type { Dicer as DicerConstructor } from '@fastify/busboy';
import { CodedError } from '../errors.ts';
import { yieldToEventLoop } from '../limits/chunks.ts';
import { decoderOf, readContentDisposition } from './content-disposition.ts';

/** A text of a form. */
export interface FormText {
  readonly name: string;
  readonly text: string;
}

/** A file of a form. What is not read of it before the next part is skipped. */
export interface FormFile {
  readonly name: string;
  readonly fileName: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** A body, in chunks of any size. */
type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** What a form may have, at most. */
export interface FormLimits {
  readonly texts: number;
  /** Bytes of each text. */
  readonly textBytes: number;
  readonly files: number;
}

/** Characters of a boundary, at most (RFC 2046 5.1.1). */
const maxBoundaryLength = 70;
/** Header fields of a part, at most: each takes a while to be read. */
const maxHeaderFields = 16;
/** Characters of the header of a part, at most. The parser keeps some more, and drops what is behind them. */
const maxHeaderLength = 16 * 1024;
/** Bytes that are parsed at once: fewer than a stream holds before it asks its writer to wait. */
const pieceLength = 32 * 1024;

/**
 * Reads the parts of a form in their order, none further than it is asked for. Throws `invalid-form`, also where the body breaks off, and
 * `form-too-large`.
 */
export async function* partsOf(
  body: Bytes,
  contentType: string,
  limits: FormLimits,
): AsyncGenerator<FormText | FormFile> {
  const pieces = piecesOf(body);
  const parser = new FormParser(await createDicer(contentType), pieces, limits);
  try {
    for (let part = await parser.next(); part !== undefined; part = await parser.next()) {
      const { name, fileName } = part;
      if (fileName === undefined) yield { name, text: await parser.text(part) };
      else {
        yield { name, fileName, chunks: parser.chunks(part) };
        await parser.skip(part);
      }
    }
  } finally {
    // The source of a form that is refused may end with an error, which nobody waits for.
    pieces.return(undefined).catch(() => {});
  }
}

/** Returns the texts of a form with their names, without its files. Throws as `partsOf` does. */
export async function textsOfParts(
  body: Bytes,
  contentType: string,
  limits: FormLimits,
): Promise<readonly (readonly [name: string, text: string])[]> {
  const texts: [string, string][] = [];
  for await (const part of partsOf(body, contentType, limits))
    if ('text' in part) texts.push([part.name, part.text]);
  return texts;
}

type Dicer = InstanceType<typeof DicerConstructor>;
type PartStream = DicerConstructor.PartStream;
/** Values by the names of header fields in lower case; their characters stand for one byte each. */
type Header = Readonly<Record<string, readonly string[]>>;

/** A part whose header has been read. */
interface Part {
  readonly name: string;
  /** Undefined for a text. */
  readonly fileName: string | undefined;
  /** What decodes a text. */
  readonly decoder: TextDecoder;
  readonly stream: PartStream;
}

/** Gives the parser bytes when a reader wants more, so that nothing happens that nobody waits for. */
class FormParser {
  readonly #dicer: Dicer;
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #limits: FormLimits;
  /** Parts that nobody has read yet. */
  readonly #parts: Part[] = [];
  #texts = 0;
  #files = 0;
  /** The part whose bytes arrive: those before it are complete. */
  #latest: PartStream | undefined;
  #isHeaderMissing = false;
  #isFinished = false;
  #failure: CodedError | undefined;

  constructor(dicer: Dicer, pieces: AsyncIterator<Uint8Array>, limits: FormLimits) {
    this.#dicer = dicer;
    this.#pieces = pieces;
    this.#limits = limits;
    const fail = (cause: unknown) => this.#fail(invalidForm(cause));
    dicer.on('error', fail);
    dicer.on('finish', () => {
      this.#isFinished = true;
      if (this.#isHeaderMissing) fail(undefined);
    });
    dicer.on('part', (stream) => {
      stream.on('error', fail);
      if (this.#isHeaderMissing) fail(undefined);
      this.#isHeaderMissing = true;
      this.#latest = stream;
      stream.on('header', (header) => {
        this.#isHeaderMissing = false;
        this.#begin(stream, header as Header);
      });
    });
  }

  /** Returns the next part; undefined behind the last. */
  async next(): Promise<Part | undefined> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const part = this.#parts.shift();
      if (part !== undefined || this.#isFinished) return part;
      await untilEnded();
      if (!this.#isFinished) await this.#feed();
    }
  }

  async *chunks({ stream }: Part): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const chunk = stream.read() as Buffer | null;
      if (chunk !== null) {
        yield chunk;
        continue;
      }
      await untilEnded();
      if (stream.readableEnded || stream !== this.#latest) return;
      await this.#feed();
    }
  }

  async text(part: Part): Promise<string> {
    const { textBytes } = this.#limits;
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of this.chunks(part)) {
      size += chunk.byteLength;
      if (size > textBytes) throw tooLarge(`a text of more than ${textBytes} bytes`);
      chunks.push(chunk);
    }
    return part.decoder.decode(Buffer.concat(chunks));
  }

  async skip(part: Part): Promise<void> {
    const chunks = this.chunks(part);
    for (let isDone: boolean | undefined = false; isDone !== true; ) isDone = (await chunks.next()).done;
  }

  #begin(stream: PartStream, header: Header): void {
    const { texts, files } = this.#limits;
    const part = partOf(stream, header);
    if (part?.fileName === undefined) this.#texts += 1;
    else this.#files += 1;
    if (part === undefined) this.#fail(invalidForm());
    else if (this.#texts > texts) this.#fail(tooLarge(`more than ${texts} texts`));
    else if (this.#files > files) this.#fail(tooLarge(`more than ${files} files`));
    else this.#parts.push(part);
  }

  #fail(error: CodedError): void {
    this.#failure ??= error;
  }

  /** Parses the next bytes of the body, or notes that it has ended. */
  async #feed(): Promise<void> {
    const { done, value } = await this.#pieces.next().catch((error: unknown) => {
      throw error instanceof CodedError ? error : invalidForm(error);
    });
    if (done !== true) {
      this.#dicer.write(value);
      return;
    }
    this.#dicer.end();
    // By then it has said what is missing.
    await yieldToEventLoop();
    if (!this.#isFinished) this.#fail(invalidForm());
  }
}

/** Waits until a stream that has no more bytes says that it has ended, which it does a tick after the last of them was read. */
function untilEnded(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** Returns a part; undefined for one that is none of a form. */
function partOf(stream: PartStream, header: Header): Part | undefined {
  const { 'content-disposition': [disposition = ''] = [], 'content-type': [type = ''] = [] } = header;
  const { type: kind, name, fileName } = readContentDisposition(disposition);
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type) ?? [];
  const decoder = decoderOf(charset);
  if (kind !== 'form-data' || name === undefined || decoder === undefined || isLong(header)) return undefined;
  return { name: unescaped(name), fileName: fileName && unescaped(fileName), decoder, stream };
}

function isLong(header: Header): boolean {
  const fields = Object.entries(header).flatMap(([name, values]) => values.map((value) => name + value));
  return fields.length > maxHeaderFields || fields.join('').length > maxHeaderLength;
}

/** Reads what browsers write for characters that cannot stand in quotes. */
function unescaped(name: string): string {
  return name.replaceAll('%22', '"').replaceAll(/%0d/gi, '\r').replaceAll(/%0a/gi, '\n');
}

/** Cuts a body into pieces. Others have their turn between those of one chunk: a piece may hold hundreds of parts. */
async function* piecesOf(body: Bytes): AsyncGenerator<Uint8Array> {
  for await (const chunk of body)
    for (let start = 0; start < chunk.byteLength; start += pieceLength) {
      if (start > 0) await yieldToEventLoop();
      yield chunk.subarray(start, start + pieceLength);
    }
}

/** Creates the parser of a form; its library is loaded on first use. */
async function createDicer(contentType: string): Promise<Dicer> {
  const [, quoted, token] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? token;
  if (boundary === undefined || boundary.length > maxBoundaryLength) throw invalidForm();
  // In the built app a module of CommonJS has its default export alone.
  const { default: library } = await import('@fastify/busboy');
  return new library.Dicer({ boundary, maxHeaderPairs: maxHeaderFields + 1 });
}

function tooLarge(what: string): CodedError {
  return new CodedError('form-too-large', `Cannot read the body: it has ${what}.`);
}

function invalidForm(cause?: unknown): CodedError {
  return new CodedError('invalid-form', 'Cannot read the body: it is not a form in parts.', { cause });
}
