/** The wiring: read the settings, open the stores, register every endpoint. */

import { type Config, readConfig } from '../shared/config.ts';
import type { Dependency } from '../shared/http/health.ts';
import { type AnyApi, registrable } from '../shared/http/register.ts';
import { baseUrlMismatch, hostBasePath } from './base-path.ts';
import { serviceApi } from './service.ts';

const config: Config = readConfig(process.env);
const basePath = hostBasePath();

const dependencies: Dependency[] = [];
const apis: AnyApi[] = [];

apis.push(registrable(serviceApi(config, dependencies, () => apis.map(({ api }) => api))));

for (const { register } of apis) {
  register({
    basePath,
    publicBaseUrl: () => config.PUBLIC_BASE_URL,
    refusal: () => baseUrlMismatch(config, basePath),
  });
}
