/** Custom data, reference data and authorized on the adopted databases of a product that has the sample data, with the rights of a deployed app. */

import { describe } from 'vitest';
import { useApp } from '../support/app.ts';
import { testAuthorized } from './records-suites/authorized.ts';
import { testCustomDataSources } from './records-suites/custom-data-sources.ts';
import { testCustomSources } from './records-suites/custom-sources.ts';

const app = useApp({ databases: 'adopted' });

describe('authorized', () => testAuthorized(app));
describe('custom-data-sources', () => testCustomDataSources(app));
describe('custom-sources', () => testCustomSources(app));
