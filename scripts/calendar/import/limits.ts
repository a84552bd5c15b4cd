/**
 * Limits of an import, so that no file and no site exhausts the memory or makes it run without end. The message of each limit explains it.
 */

export interface Limits {
  /** Bytes of a file, by the extension of its name. */
  readonly fileBytes: Readonly<Record<string, number>>;
  /** Characters of a line of `.jsonl`. */
  readonly lineLength: number;
  /** Records of a site or a file; ids and pictures that a site lists beside them. */
  readonly records: number;
  /** Occurrences of one recurring event. */
  readonly occurrences: number;
  /** Milliseconds in which a file of another program is read. */
  readonly readMs: number;
  /** Megabytes of memory with which a file of another program is read. */
  readonly readMegabytes: number;
  /** Pages of a list of a site. */
  readonly pages: number;
  /** Bytes of one reply of a site. */
  readonly replyBytes: number;
  /** Bytes of all pages of a site, which are stored while it is read. */
  readonly siteBytes: number;
  /** Bytes of one picture of a site. */
  readonly pictureBytes: number;
  /** Milliseconds in which a feed is read from its address. */
  readonly feedMs: number;
  /** Milliseconds in which all pages of a site are read. */
  readonly siteMs: number;
}

const mebibyte = 2 ** 20;

export const defaultLimits: Limits = {
  fileBytes: { '.jsonl': 512 * mebibyte, '.csv': 64 * mebibyte, '.ics': 64 * mebibyte },
  lineLength: 4 * mebibyte,
  records: 200_000,
  occurrences: 1_000,
  readMs: 5 * 60_000,
  readMegabytes: 2_048,
  pages: 4_000,
  replyBytes: 32 * mebibyte,
  siteBytes: 4_096 * mebibyte,
  pictureBytes: 16 * mebibyte,
  feedMs: 2 * 60_000,
  siteMs: 12 * 60 * 60_000,
};

/** Throws an Error where a site has more records than an import reads. */
export function mustBeFew(count: number, { records }: Limits): void {
  if (count > records)
    throw new Error(`Cannot read the site: it has more than ${records} records. Nothing was written.`);
}

/** The largest id that an import accepts, and that every client of the API can store. */
export const maxId = 2 ** 31 - 1;

/** The largest id that a site may give: the calendar counts on behind it, and must have numbers left for what is created here. */
export const maxSiteId = 2_100_000_000;

/** Returns a number of bytes in MiB, for messages. */
export function mebibytes(bytes: number): string {
  return `${Math.round((bytes / mebibyte) * 10) / 10} MiB`;
}
