import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const url = (path: string) => JSON.stringify(new URL(`../../../${path}`, import.meta.url).href);
const writers = {
  write: `import { write as tell } from ${url('shared/terminal/terminal.ts')};`,
  say: `import { say } from ${url('local/components/component.ts')}; const tell = (line) => say('test', line);`,
};
type Writer = keyof typeof writers;

const programOf = (writer: Writer): readonly string[] => [
  process.execPath,
  '--input-type=module',
  '--eval',
  `${writers[writer]}
  import { writeError } from ${url('shared/terminal/terminal.ts')};
  process.stdin.once('data', async () => {
    for (let line = 1; line <= 3; line++) {
      tell('lost');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    writeError('went on');
    process.stdin.pause();
  });
  tell('ready');`,
];

/** @param closed when nobody reads its output any more */
async function goesOn(program: ChildProcessWithoutNullStreams, closed: () => Promise<unknown>) {
  const complaints = text(program.stderr);
  await closed();
  program.stdin.end('go');
  await once(program, 'close');
  expect(await complaints).toBe('went on');
  expect(program.exitCode).toBe(0);
}

test.each(['write', 'say'] as const)('%s goes on when nobody reads its output any more', async (writer) => {
  const [node = '', ...args] = programOf(writer);
  const program = spawn(node, args);
  await goesOn(program, async () => {
    await once(program.stdout, 'data');
    program.stdout.destroy();
  });
});

const TERMINAL = `
import os, subprocess, sys
terminal, end = os.openpty()
program = subprocess.Popen(sys.argv[1:], stdout=end)
os.close(end)
os.read(terminal, 1)
os.close(terminal)
print('closed', flush=True)
sys.exit(program.wait())`;

test.for(['write', 'say'] as const)('%s goes on when its terminal is closed', async (writer, { skip }) => {
  if (spawnSync('python3', ['--version']).status !== 0) return skip('there is no python3 on PATH');
  const program = spawn('python3', ['-c', TERMINAL, ...programOf(writer)]);
  await goesOn(program, () => once(program.stdout, 'data'));
});
