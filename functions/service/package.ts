/** What package.json says of the service; the build puts it into the bundle. */

import description from '../../package.json' with { type: 'json' };

export const { version, license } = description;
