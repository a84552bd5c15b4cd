/** The common parts of the APIs about the service: they are public, and answer errors as problems. */

import type { Api } from '../../shared/http/api.ts';
import { readInput } from '../../shared/http/input.ts';
import { problemMediaType, problemReply, problemSchema } from '../../shared/http/problem.ts';

export const problemApi = {
  authenticate: async () => ({ caller: undefined }),
  anonymous: undefined,
  readInput,
  errorReply: problemReply,
  errorSchema: { schema: problemSchema, mediaType: problemMediaType },
} satisfies Partial<Api<undefined>>;
