// `npm run test:soak`: the tests that kill, race or repeat.

import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['packages/*/{src,test}/**/*.soak.test.ts'],
    exclude: [],
  },
});
