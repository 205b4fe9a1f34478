// A worker runs with the same options of Node.js, whatever starts it.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { nodeOptions } from '../../worker/node-options.ts';

const options = nodeOptions.join(' ');

test.each([
  ['package.json', `"worker": "exec node scripts/with-set-up.mjs node ${options} worker/main.ts"`],
  ['worker/main.ts', `#!/usr/bin/env -S node ${options}\n`],
  [
    'docker-compose.yml',
    `command: ["node", ${nodeOptions.map((each) => `"${each}"`).join(', ')}, "worker/main.ts"]`,
  ],
  ['docs/run.md', `\`node ${options}\``],
])('%s says them', async (file, words) => {
  expect(await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain(words);
});
