/** GET authorized, and who may call the records API at all. */

import { useApp } from '../support/app.ts';
import { testAuthorized } from './records-suites/authorized.ts';

testAuthorized(useApp());
