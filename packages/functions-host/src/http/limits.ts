/** The times and sizes within which the server talks to a client: Kestrel's defaults, all times in milliseconds. */
export interface ServerLimits {
  /** How long a connection may stay idle between requests. */
  readonly keepAlive: number;
  /** How long the request line and the headers may take. */
  readonly requestHead: number;
  /** Slowest body in bytes a second, demanded once `bodyGrace` is over. */
  readonly bodyRate: number;
  readonly bodyGrace: number;
  /** Largest request body in bytes. */
  readonly bodySize: number;
  /** How often connections are checked. */
  readonly tick: number;
}

export const kestrelLimits: ServerLimits = {
  keepAlive: 130_000,
  requestHead: 30_000,
  bodyRate: 240,
  bodyGrace: 5_000,
  bodySize: 104_857_600,
  tick: 1_000,
};

/** Bytes of a request line with its end, of all header lines with the empty one, and the number of header lines, at most. */
export const maxRequestLine = 8_192;
export const maxHeaderBytes = 32_770;
export const maxHeaderLines = 100;
