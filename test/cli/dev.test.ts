// `dev` in what it refuses before it starts anything. What it starts and does is in the smoke test of the package.
import { expect, test } from 'vitest';
import { run } from './lockerflow-program.ts';

test('a folder that is none is wrong use', async () => {
  for (const folder of ['nowhere', 'package.json'])
    expect(await run(['dev', folder])).toEqual({
      code: 2,
      out: '',
      err: `lockerflow: ${folder} is not a folder; expected one with flow files\n`,
    });
});
