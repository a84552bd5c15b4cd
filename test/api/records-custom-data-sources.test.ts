/** Where custom data comes from, for those who register sources. */

import { useApp } from '../support/app.ts';
import { testCustomDataSources } from './records-suites/custom-data-sources.ts';

testCustomDataSources(useApp());
