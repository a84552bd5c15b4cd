/** Content-Disposition, of a request (RFC 6266) and of a part of a form (RFC 7578). */

export interface ContentDisposition {
  /** In lower case: `attachment`, `form-data`. */
  readonly type: string;
  /** Name of the field; undefined without one. */
  readonly name: string | undefined;
  /** Name of the file as the caller wrote it; undefined without one. */
  readonly fileName: string | undefined;
}

/** A parameter with its value, quoted or not. What follows the value up to the next semicolon does not count. */
const parameter = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))[^;]*/y;

/** Reads a header whose characters stand for one byte each. Reading ends before a parameter that is malformed. */
export function readContentDisposition(header: string): ContentDisposition {
  const [type = ''] = /^[^;]*/.exec(header) ?? [];
  const parameters = new Map<string, string>();
  parameter.lastIndex = type.length;
  for (let found = parameter.exec(header); found !== null; found = parameter.exec(header)) {
    const [, name = '', quoted, token = ''] = found;
    const key = name.toLowerCase();
    // A backslash before another character is one of a Windows path.
    if (!parameters.has(key)) parameters.set(key, quoted?.replace(/\\(["\\])/g, '$1') ?? token);
  }
  return {
    type: type.trim().toLowerCase(),
    name: decoded(parameters.get('name')),
    fileName: extendedValue(parameters.get('filename*')) ?? decoded(parameters.get('filename')),
  };
}

/** Reads a value with a charset (RFC 8187); undefined for one that is not UTF-8 in percent-encoded bytes. */
function extendedValue(value = ''): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.+)$/i.exec(value) ?? [];
  if (encoded === undefined || /%(?![\da-f]{2})/i.test(encoded)) return undefined;
  const bytes = encoded.replace(/%(..)/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}

/** Reads bytes as UTF-8 where they are, and the encoded words that .NET writes for names beyond ASCII. */
function decoded(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const utf8 = Buffer.from(value, 'latin1').toString();
  return withoutEncodedWords(utf8.includes('\ufffd') ? value : utf8);
}

/** An encoded word (RFC 2047 section 2), and the whitespace between it and the next. */
const encodedWord = /=\?([\w-]+)(?:\*[\w-]*)?\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi;

function withoutEncodedWords(text: string): string {
  return text.replace(encodedWord, (word, charset: string, encoding: string, content: string) => {
    const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(content, 'base64') : quotedPrintable(content);
    return decoderOf(charset)?.decode(bytes) ?? word;
  });
}

function quotedPrintable(content: string): Buffer {
  const text = content
    .replaceAll('_', ' ')
    .replace(/=([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, 'latin1');
}

/** Returns the decoder of a charset; undefined for one that is unknown. */
export function decoderOf(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
