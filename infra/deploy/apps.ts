/** The apps of a deployment: one that serves both APIs, or one for each. */

import type { Context } from './context.ts';
import { needOutput, type Outputs, textOutput } from './outputs.ts';

export type ApiName = 'records' | 'calendar';

export interface DeployedApp {
  readonly name: string;
  /** Address of the app itself, without the base path; empty: not known. */
  readonly url: string;
  readonly apis: readonly ApiName[];
}

/** The apps that code is pushed to: the green one alone, or the blue one and the calendar's own where it has one. */
export function appsOf({ options }: Pick<Context, 'options'>, outputs: Outputs): readonly DeployedApp[] {
  const calendar = textOutput(outputs, 'CALENDAR_APP_NAME');
  const prefix = options.color === 'green' ? 'GREEN_' : '';
  const first: DeployedApp = {
    name: needOutput(outputs, `${prefix}FUNCTION_APP_NAME`),
    url: textOutput(outputs, `${prefix}FUNCTION_APP_URL`),
    apis: calendar === '' ? ['records', 'calendar'] : ['records'],
  };
  if (calendar === '' || options.color === 'green') return [first];
  return [first, { name: calendar, url: textOutput(outputs, 'CALENDAR_APP_URL'), apis: ['calendar'] }];
}

/** The path below which everything is, from the address for clients. */
export function basePathOf(outputs: Outputs): string {
  const url = textOutput(outputs, 'API_BASE_URL');
  return URL.canParse(url) ? new URL(url).pathname.replace(/\/$/, '') : '/api';
}
