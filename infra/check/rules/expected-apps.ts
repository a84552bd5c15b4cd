/** The apps that a plan must have. */

import type { Data } from '../plan/data.ts';
import { hasCalendarApp, hasGreenApp, type View } from './views.ts';

/** An app, with the names of its resources reduced to their prefixes. */
export interface ExpectedApp {
  readonly name: string;
  readonly apis: readonly ('records' | 'calendar')[];
  readonly identity: string;
  readonly account: string;
  readonly origins: Data;
}

/** Returns the apps by what the parameters ask for: one, a green one beside it, and one of the calendar alone. */
export function expectedApps(view: View): readonly ExpectedApp[] {
  const hasOwnApp = hasCalendarApp(view);
  const blue: ExpectedApp = {
    name: 'func',
    apis: hasOwnApp ? ['records'] : ['records', 'calendar'],
    identity: 'id',
    account: 'sthost',
    origins: view.value('cors_origins'),
  };
  const green = { ...blue, name: 'func-g' };
  const calendar: ExpectedApp = {
    name: 'func-c',
    apis: ['calendar'],
    identity: 'id-c',
    account: 'stcal',
    origins: ['*'],
  };
  return [blue, ...(hasGreenApp(view) ? [green] : []), ...(hasOwnApp ? [calendar] : [])];
}
