/** Milliseconds for which a command waits for an answer of the storage. A request has seconds to be answered in; a command has time. */
export const callTimeout = 30_000;
