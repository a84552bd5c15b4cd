/** An app that answers a constant, under the same host: what the others are measured against. */

import type { FunctionsHost } from '@records-and-calendar/functions-host';
import { startSourceApp } from './source-app.ts';

const source = `
import { app } from '@azure/functions';
app.http('constant', {
  route: 'constant/{bytes}',
  methods: ['GET'],
  authLevel: 'anonymous',
  handler: ({ params }) => ({ headers: { 'Content-Type': 'application/json' }, body: JSON.stringify('x'.repeat(Number(params.bytes) - 2)) }),
});
`;

/** Starts the app; `GET /api/constant/{bytes}` answers JSON of that many bytes. */
export function startConstantApp(): Promise<FunctionsHost> {
  return startSourceApp(source);
}
