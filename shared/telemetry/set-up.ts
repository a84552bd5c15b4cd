/** Reads the settings of telemetry. One that is unusable stops nothing: it is logged, and the default counts. */

import type { Config } from '../config.ts';
import { configureLog, logFailure } from './log.ts';

export interface Telemetry {
  /** Whether replies carry Server-Timing. */
  readonly serverTiming: boolean;
}

/** Sets up the log, and returns what the pipeline has to know. */
export function setUpTelemetry(config: Config): Telemetry {
  configureLog({
    LOG_LEVEL: usable(() => config.LOG_LEVEL) ?? 'information',
    LOG_FORMAT: usable(() => config.LOG_FORMAT) ?? 'json',
  });
  return { serverTiming: usable(() => config.SERVER_TIMING) ?? false };
}

function usable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    logFailure(undefined, error);
    return undefined;
  }
}
