/** The settings of telemetry: the log, and where spans and metrics go. */

import { flag, oneOf, text, url } from './parsers.ts';
import { setting } from './variable.ts';

export const telemetryVariables = {
  LOG_LEVEL: setting(
    oneOf('debug', 'information', 'error'),
    'Least level of the lines that are logged: debug adds one for each piece of work that was measured, error leaves out requests that did not fail; audit lines are always written.',
    { fallback: 'information' as const },
  ),
  LOG_FORMAT: setting(
    oneOf('json', 'text'),
    'json: an object per line, for machines; text: for people, where they develop (paths and identifiers are in it).',
    { fallback: 'json' as const },
  ),
  SERVER_TIMING: setting(
    flag,
    'Whether replies say in the header Server-Timing where their time went; anyone can read it.',
    { fallback: false },
  ),
  AzureFunctionsJobHost__telemetryMode: setting(
    oneOf('applicationInsights', 'openTelemetry'),
    "Who sends telemetry to Application Insights: applicationInsights: the host alone, with the app's log lines; openTelemetry: the host as well as the app, whose spans stand below the host's.",
    { fallback: 'applicationInsights' as const },
  ),
  APPLICATIONINSIGHTS_CONNECTION_STRING: setting(
    text,
    'Where Application Insights takes telemetry; signed in to with the managed identity.',
    { fallback: '' },
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    url,
    'Where spans and metrics go over OTLP; the other standard variables (OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER and so on) count too.',
    { fallback: '' },
  ),
} as const;
