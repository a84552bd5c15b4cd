/** The server's numbers of refused logins, which the driver's own errors lack. */

import type { Connection } from 'mssql';

export interface LoginNumbers {
  /** Listens to what the server says until a connection is open. */
  watch(connection: Connection): void;
  /** Returns the number of a login that was refused with this message. */
  numberOf(message: string): number | undefined;
}

interface LoginMessage {
  readonly number: number;
  readonly message: string;
}

/** Creates the numbers of a pool. */
export function createLoginNumbers(): LoginNumbers {
  const numbers = new Map<string, number>();
  return {
    // A refused login can bring several messages: the reason first, and last a general one, which becomes the error.
    watch(connection) {
      let reason: number | undefined;
      const note = ({ number, message }: LoginMessage) => {
        reason ??= number;
        numbers.set(message, reason);
      };
      connection.on('errorMessage', note);
      connection.once('connect', () => connection.off('errorMessage', note));
    },
    numberOf: (message) => numbers.get(message),
  };
}
