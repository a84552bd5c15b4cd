/** Builds the app once before the tests run, so that they drive what is deployed. */

import { buildApp } from '../../scripts/build.ts';

export async function setup(): Promise<void> {
  await buildApp();
}
