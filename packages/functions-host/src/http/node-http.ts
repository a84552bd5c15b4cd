/**
 * The parts of `node:http` that the host uses. An `import` of that module evaluates all of its properties, and with them loads the whole of
 * fetch, which takes longer than a bare start of Node.
 */

export const {
  Agent,
  createServer,
  request: httpRequest,
  STATUS_CODES,
} = process.getBuiltinModule('node:http');
