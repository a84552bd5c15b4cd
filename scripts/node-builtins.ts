/** A plugin of esbuild, by which a bundle takes of Node's own modules only what it uses. */

import { builtinModules, createRequire } from 'node:module';
import { relative } from 'node:path';
import type { Plugin } from 'esbuild';

const load = createRequire(import.meta.url);
const namespace = 'node-builtin';

/**
 * An `import` of one of Node's modules evaluates all of its properties: that of `node:http` loads all of fetch, half as long as a bare
 * start of Node. Here only the properties that are used are read.
 */
export function nodeBuiltins(root: string): Plugin {
  return {
    name: namespace,
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^[a-z:_/0-9]+$/ }, ({ path, kind, importer }) => {
        const name = path.replace(/^node:/, '');
        if (kind !== 'import-statement' || !builtinModules.includes(name)) return undefined;
        // One for each importer is in the importer's file of the bundle, and not in a separate file.
        return {
          path: `${name} for ${relative(root, importer)}`,
          namespace,
          pluginData: name,
          sideEffects: false,
        };
      });
      onLoad({ filter: /./, namespace }, ({ pluginData: name }) => ({ contents: moduleText(name) }));
    },
  };
}

/** Writes a module with the exports of one of Node's; a property that is not used leaves nothing behind. */
function moduleText(name: string): string {
  const exported = Object.keys(load(`node:${name}`)).filter((key) => key !== 'default');
  return [
    `const loaded = /* @__PURE__ */ process.getBuiltinModule('node:${name}');`,
    'export default loaded;',
    ...exported.map((key, index) => `const export${index} = /* @__PURE__ */ (() => loaded.${key})();`),
    `export { ${exported.map((key, index) => `export${index} as ${key}`).join(', ')} };`,
  ].join('\n');
}
