/** Plugins of esbuild, by which a bundle takes libraries in another way than they come. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

export function bundledLibraries(root: string): Plugin[] {
  return [functionsFromSource(root), sqlDriverWithoutIdentity, tablesWithoutFetch];
}

/**
 * The library of Azure Functions from its source. The compiled form stores private fields in weak maps, so that all data of a request lives
 * until the whole heap is collected. Its requests are ours, which copy no bytes (`shared/http/functions-library`).
 */
function functionsFromSource(root: string): Plugin {
  return {
    name: 'functions-from-source',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^@azure\/functions(-extensions-base)?$/ }, ({ path }) => ({
        path: join(root, 'node_modules', path, 'src', 'index.ts'),
      }));
      const ourRequest = JSON.stringify(join(root, 'shared', 'http', 'functions-library', 'request.ts'));
      onLoad({ filter: /[\\/]@azure[\\/]functions[\\/]src[\\/]http[\\/]HttpRequest\.ts$/ }, ({ path }) => ({
        contents: `import { Request } from ${ourRequest}; ${readFileSync(path, 'utf8')}`,
        loader: 'ts',
      }));
    },
  };
}

/**
 * The driver makes credentials for ways to sign in that we do not use. For them it loads a library of a third of its size, which we import
 * in another form where we need it.
 */
const sqlDriverWithoutIdentity: Plugin = {
  name: 'sql-driver-without-identity',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^@azure\/identity$/ }, ({ path, importer }) =>
      /[\\/]node_modules[\\/]tedious[\\/]/.test(importer) ? { path, namespace: 'left-out' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** The client of the tables asks before each request whether its body is a form of fetch, which loads the whole of fetch; it never is. */
const tablesWithoutFetch: Plugin = {
  name: 'tables-without-fetch',
  setup({ initialOptions }) {
    initialOptions.define = { ...initialOptions.define, FormData: 'undefined' };
  },
};
