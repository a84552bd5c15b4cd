/** The driver, loaded on first use: it is the heaviest package of the app, and only records need it. */

type Driver = typeof import('mssql');

let driver: Driver | undefined;

/** Returns `mssql`. */
export async function loadDriver(): Promise<Driver> {
  driver ??= (await import('mssql')).default;
  return driver;
}
