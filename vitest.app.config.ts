/** The tests of the app alone: what it answers over HTTP, and its parts. */

import { defineConfig } from 'vitest/config';
import all, { aroundTheApp } from './vitest.config.ts';

const { projects = [], ...options } = all.test ?? {};

export default defineConfig({
  test: {
    ...options,
    projects: projects.map((project) => {
      if (typeof project !== 'object' || !('test' in project))
        throw new TypeError('A project stands elsewhere.');
      const { exclude = [], ...test } = project.test ?? {};
      return { test: { ...test, exclude: [...exclude, ...aroundTheApp] } };
    }),
  },
});
