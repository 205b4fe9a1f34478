import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const terminal = new URL('../../../shared/terminal/terminal.ts', import.meta.url).href;

it('goes on when nobody reads its output any more', async () => {
  const program = `
    import { write, writeError } from '${terminal}';
    process.stdin.once('data', () => {
      write('lost');
      setTimeout(() => writeError('went on'), 100);
      process.stdin.pause();
    });
    write('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  const complaints = text(child.stderr);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  child.stdin.end('go');
  await once(child, 'close');
  expect(await complaints).toBe('went on');
  expect(child.exitCode).toBe(0);
});
