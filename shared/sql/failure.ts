/** An error of a statement, as the domain gets to see it. */

/** Numbers whose messages name objects, parameters and statements; those of others may quote values of rows and bodies. */
const namesObjects = new Set([201, 207, 208, 229, 266, 2812, 8144, 8145, 40517]);

/** An error that a statement raised on the server and that is neither transient nor one of our settings. Its message may quote values. */
export class SqlFailure extends Error {
  /** SQL Server's error number; 50000 and above are raised by procedures. */
  readonly number: number;
  /** The procedure that raised it, if one did, without the schema dbo. */
  readonly procedure: string | undefined;
  /** What the log writes in place of the message. */
  readonly logged: string;

  constructor(message: string, { number, procedure, line }: SqlErrorFacts) {
    super(message);
    this.name = 'SqlFailure';
    this.number = number;
    // Newer servers put the schema before the name.
    this.procedure = procedure?.replace(/^dbo\./i, '');
    const place = `SQL error ${number} in ${this.procedure ?? 'the batch'}, line ${line ?? 'unknown'}`;
    this.logged = namesObjects.has(number) ? `${place}: ${message}` : place;
  }

  /** Checks whether a procedure of schema dbo raised it; names are compared without regard to case. */
  isRaisedBy(procedure: string): boolean {
    return this.procedure?.toLowerCase() === procedure.toLowerCase();
  }
}

interface SqlErrorFacts {
  readonly number: number;
  readonly procedure?: string | undefined;
  readonly line?: number | undefined;
}
