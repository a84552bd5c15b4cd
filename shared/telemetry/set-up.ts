/** Reads the settings of telemetry. One that is unusable stops nothing: it is logged, and the default counts. */

import type { Config, Environment } from '../config.ts';
import { managedIdentity } from '../managed-identity.ts';
import { watchEventLoop } from './event-loop.ts';
import { startExport, targetsOf } from './export.ts';
import { configureLog, logFailure } from './log.ts';

export interface Telemetry {
  /** Whether replies carry Server-Timing. */
  readonly serverTiming: boolean;
  /** Sends what is left to send. */
  readonly close: () => Promise<void>;
}

/** Sets up the log and the export, and returns what the pipeline has to know. */
export function setUpTelemetry(config: Config, environment: Environment): Telemetry {
  configureLog(config);
  const endWatch = watchEventLoop();
  const targets = usable(() => targetsOf(config, environment, () => managedIdentity(config.AZURE_CLIENT_ID)));
  const endExport =
    targets === undefined
      ? async () => {}
      : startExport(async () => (await import('./sdk.ts')).openSdk(targets, environment));
  return {
    serverTiming: config.SERVER_TIMING,
    close() {
      endWatch();
      return endExport();
    },
  };
}

function usable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    logFailure(undefined, error);
    return undefined;
  }
}
