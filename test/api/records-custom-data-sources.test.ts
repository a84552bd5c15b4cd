/** The sources of custom data, for consultants who register them. */

import { useApp } from '../support/app.ts';
import { testCustomDataSources } from './records-suites/custom-data-sources.ts';

testCustomDataSources(useApp());
