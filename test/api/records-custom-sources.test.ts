/** Custom data behind custom procedures and views: REF is written through its procedure, REF_RO is not written. */

import { useApp } from '../support/app.ts';
import { testCustomSources } from './records-suites/custom-sources.ts';

testCustomSources(useApp());
