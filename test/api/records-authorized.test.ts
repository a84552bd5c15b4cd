/** GET authorized, and the callers of the records API. */

import { useApp } from '../support/app.ts';
import { testAuthorized } from './records-suites/authorized.ts';

testAuthorized(useApp());
