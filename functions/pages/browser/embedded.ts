/** The script of a list in a frame of another site. */

import { sendHeight } from './frame-height.ts';

sendHeight();
