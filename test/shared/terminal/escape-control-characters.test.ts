// What a terminal gets of a text that somebody else has chosen: nothing that it obeys, that turns a line, or that nobody sees.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { Command } from 'commander';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { say } from '../../../local/components/component.ts';
import { reportingErrors } from '../../../local/components/error-lines.ts';
import { createLog } from '../../../service/log.ts';
import {
  escapeControlCharacters,
  escapeControlCharactersOfLines,
} from '../../../shared/terminal/escape-control-characters.ts';
import { report } from '../../../shared/terminal/report.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { nodeProgramOfTest } from '../../support/processes/node-program.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';

const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const OBEYED_IN_LINES = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** ESC, C1's CSI, what turns the line, both separators, one invisible beyond the first plane, and a line of one's own. */
const HOSTILE = 'a\u001b[31m\u009b2J\u202e\u2028\u2029\u200b\u{e0041}\nkeys  forged';
const ESCAPED = 'a\\u001b[31m\\u009b2J\\u202e\\u2028\\u2029\\u200b\\udb40\\udc41\\u000akeys  forged';

test('such characters show as JSON escapes them', () => {
  expect(escapeControlCharacters(HOSTILE)).toBe(ESCAPED);
  expect(escapeControlCharactersOfLines(HOSTILE)).toBe(ESCAPED.replace('\\u000a', '\n'));
  expect(escapeControlCharactersOfLines('one\r\ntwo')).toBe('one\ntwo');
  expect(escapeControlCharacters('Zoë 王 👍 x̂')).toBe('Zoë 王 👍 x̂');
});

test('JSON with any text stays the same JSON', () => {
  const texts = fc.string({
    unit: fc.oneof(fc.constantFrom(...HOSTILE), fc.constantFrom('\\', '"'), fc.string({ unit: 'binary' })),
  });
  fc.assert(
    fc.property(texts, (text) => {
      const json = escapeControlCharactersOfLines(JSON.stringify({ text }));
      expect(json).not.toMatch(OBEYED);
      expect(JSON.parse(json)).toEqual({ text });
      expect(escapeControlCharactersOfLines(text)).not.toMatch(OBEYED_IN_LINES);
    }),
  );
});

test('a program writes nothing else, be it words, JSON or a complaint', async () => {
  const terminal = join(import.meta.dirname, '../../../shared/terminal/terminal.ts');
  const program = `
    const { processTerminal } = await import(${JSON.stringify(terminal)});
    const terminal = processTerminal('lockerflow');
    const hostile = JSON.parse(process.argv[1]);
    terminal.write(JSON.stringify(hostile) + '\\n');
    terminal.complain(hostile);`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    ...['--input-type=module', '-e', program, JSON.stringify(HOSTILE)],
  ]);
  expect(JSON.parse(stdout)).toBe(HOSTILE);
  expect(stdout.trimEnd()).not.toMatch(OBEYED);
  expect(stderr).toBe(`lockerflow: ${escapeControlCharactersOfLines(HOSTILE)}\n`);
});

test('a replay complains in words that a terminal may show', async () => {
  const child = nodeProgramOfTest(['worker/replay.ts'], {
    env: { ...process.env, WORKER_WORKFLOW_BUNDLE: HOSTILE },
    input: '',
  });
  expect(await child.exitCode).toBe(1);
  expect(child.err()).toContain('a\\u001b[31m');
  expect(child.said()).not.toMatch(OBEYED_IN_LINES);
});

test('the size of a commit is told with its subject, whatever that is', async () => {
  const cwd = await temporaryFolder();
  const git = (...words: readonly string[]) => promisify(execFile)('git', words, { cwd });
  await git('init', '--quiet');
  await writeFile(join(cwd, 'a.ts'), 'export {};\n');
  await git('add', '.');
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@b.example'];
  await git(...author, '-c', 'commit.gpgSign=false', 'commit', '--quiet', '-m', HOSTILE);
  const size = join(import.meta.dirname, '../../../scripts/size.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [size], { cwd });
  expect(stdout).toContain('a\\u001b[31m');
  expect(stdout).not.toMatch(OBEYED_IN_LINES);
});

test('npm start tells a warning about a process in one line, whatever its key', () => {
  const told: string[] = [];
  const written = vi.spyOn(process.stdout, 'write').mockImplementation((line) => told.push(String(line)) > 0);
  try {
    const lines = reportingErrors(new PassThrough(), (words, level) => say('worker', words, level));
    lines.write(`${JSON.stringify({ level: 40, msg: 'late', workflowId: HOSTILE })}\n`);
  } finally {
    written.mockRestore();
  }
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/^warn {2}worker: late \(a\\u001b.*\)\n$/);
  expect(told[0]?.trimEnd()).not.toMatch(OBEYED);
});

test('a line of a log is JSON that a terminal may show', () => {
  let written = '';
  const destination = {
    write(line: string) {
      written += line;
    },
  };
  createLog('info', destination).info({ shipmentUid: HOSTILE }, 'booked');
  expect(written.trimEnd()).not.toMatch(OBEYED);
  expect(JSON.parse(written)).toMatchObject({ shipmentUid: HOSTILE });
});

test('what others have written breaks no line of a report into two', () => {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  report({ write } as Terminal, new Command(), { text: [HOSTILE, 'the end'], data: {} });
  expect(written).toBe(`${ESCAPED}\nthe end\n`);
  written = '';
  report({ write } as Terminal, new Command(), { text: HOSTILE, data: {} });
  expect(written).toBe(`${ESCAPED}\n`);
});
