// The pictures of the docs: each is on a page, and `npm run docs:screenshots` makes no others.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { picture, picturesOnPages } from '../support/chromium.ts';

const docs = join(import.meta.dirname, '../../docs');

test('each picture in docs/ is on a page', () => {
  const pictures = globSync('*.{png,svg}', { cwd: docs });
  expect(pictures.length).toBeGreaterThan(5);
  expect(pictures.filter((name) => !picturesOnPages().has(name))).toEqual([]);
});

test.each([
  ['docs', ['docs/console-wall.png']],
  ['elsewhere', ['elsewhere/console-wall.png', 'elsewhere/console-wall-320.png']],
  ['', []],
])('in the folder "%s", %j are saved', async (SCREENSHOTS, saved) => {
  const paths: string[] = [];
  const shown = {
    screenshot: async ({ path = '' } = {}) => {
      paths.push(path);
      return Buffer.of();
    },
  };
  for (const name of ['console-wall.png', 'console-wall-320.png'])
    await picture(shown, name, { SCREENSHOTS });
  expect(paths).toEqual(saved);
});
