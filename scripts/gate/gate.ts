// The gate, as .ci/run calls it: check, then `npm test` with the smoke tests of the whole product; green or red, with each reason
// in the last lines. A few files that fail are run once more, alone: what passes then is green, listed as FLAKY and remembered.
//   node scripts/gate/gate.ts            all parts
//   node scripts/gate/gate.ts FILE...    only these files of tests, with the same rules
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { write } from '../../shared/terminal/terminal.ts';
import { cacheFolder } from '../../shared/terminal/user-cache.ts';
import { runProgram } from '../run-program.ts';
import { type FailedFile, type FailedTest, leftOutLine, type Report } from './reporter.ts';

/** Files that may be run once more; if more fail, something is broken. */
const RERUNS = 3;
/** Flaky tests of earlier runs that are printed again. */
const REMEMBERED = 10;

interface Part {
  readonly name: string;
  readonly command: readonly string[];
}

/** Tests of the long suite are left out. */
const vitest = ['vitest', 'run', '--tags-filter=!long'];
const files = process.argv.slice(2);
const parts: readonly Part[] =
  files.length > 0
    ? [{ name: 'tests', command: [...vitest, ...files] }]
    : [
        { name: 'check', command: ['npm', 'run', '--silent', 'check'] },
        // The smoke tests wait for most of their time: the others fill it.
        {
          name: 'tests',
          command: [...vitest, '--project=tests', '--project=isolated', '--project=smoke'],
        },
      ];

const folder = mkdtempSync(join(tmpdir(), 'gate-'));
const flakyRecord = join(cacheFolder(process.env), 'flaky-tests.jsonl');
const edited = filesOfTheChange();
const red: string[] = [];
const flaky: string[] = [];
const times: string[] = [];
const leftOut: Record<string, number> = {};
const total = { passed: 0, failed: 0, skipped: 0 };
let reruns = 0;

for (const part of parts) {
  const began = performance.now();
  await (part.command[0] === 'vitest' ? runTests(part) : runCheck(part));
  times.push(`${part.name} ${Math.round((performance.now() - began) / 1000)} s`);
  // What follows takes minutes, and the run is red already.
  if (red.length > 0) break;
}
rmSync(folder, { recursive: true });

const lines = [
  ...remembered(),
  ...flaky,
  ...(leftOutLine(leftOut) === undefined ? [] : [`${leftOutLine(leftOut)}`]),
  ...red.map((reason) => `RED: ${reason}`),
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
  `${times.join(', ')}: ${red.length === 0 ? 'green' : 'red'}`,
];
write(`\n${lines.join('\n')}\n`);
process.exitCode = red.length === 0 ? 0 : 1;

async function runCheck({ name, command }: Part): Promise<void> {
  const code = await runProgram(command);
  if (code !== 0) red.push(`${name} ended with ${code}; what it found is above`);
}

async function runTests({ name, command }: Part): Promise<void> {
  const { report, code } = await testsRun(command);
  if (report === undefined) return void red.push(`${name} ended with ${code} and without a report`);
  const { failed, problems } = report;
  total.passed += report.passed;
  total.skipped += report.skipped;
  for (const [reason, tests] of Object.entries(report.leftOut)) {
    leftOut[reason] = (leftOut[reason] ?? 0) + tests;
  }
  red.push(...problems);
  reruns += failed.length;
  for (const file of failed) await judge(file);
  if (code !== 0 && failed.length === 0 && problems.length === 0) {
    red.push(`${name} ended with ${code} though no test failed; its output is above`);
  }
}

/** Red, or flaky. */
async function judge(failed: FailedFile): Promise<void> {
  const why = reruns > RERUNS ? `${reruns} files failed, more than ${RERUNS}` : whyNotAgain(failed.file);
  if (why === undefined && !(await failsAgain(failed))) return;
  const how = why === undefined ? 'failed, and again when it ran alone' : `not run again: ${why}`;
  for (const { title, message } of testsOf(failed)) {
    total.failed++;
    red.push(`${failed.file} > ${title} (${how})\n${indented(message)}`);
  }
}

/** What failed outside its tests counts as one. */
function testsOf({ tests, message }: FailedFile): readonly FailedTest[] {
  return tests.length > 0 ? tests : [{ title: '(the file as a whole)', message }];
}

function whyNotAgain(file: string): string | undefined {
  if (edited === undefined) return 'it is not known what this change edits';
  if (edited.has(file)) return 'this change edits it';
  return /@module-tag\s+invariant\b/.test(readFileSync(file, 'utf8')) ? 'it guards an invariant' : undefined;
}

async function failsAgain(failed: FailedFile): Promise<boolean> {
  write(`\ngate: running ${failed.file} once more, alone\n`);
  const { report } = await testsRun([...vitest, '--maxWorkers=1', failed.file]);
  const passes = report && report.failed.length === 0 && report.problems.length === 0 && report.passed > 0;
  if (!passes) return true;
  for (const { title, message } of testsOf(failed)) {
    total.passed++;
    const seed = /seed\D{0,12}(\d+)/i.exec(message)?.[1];
    const test = `FLAKY ${failed.file} > ${title}${seed === undefined ? '' : ` (seed ${seed})`}`;
    flaky.push(`${test}: failed, then passed alone\n${indented(message)}`);
    remember({ at: new Date().toISOString(), commit: git('rev-parse', '--short', 'HEAD'), test, message });
  }
  return false;
}

interface Remembered {
  readonly at: string;
  readonly commit: string;
  readonly test: string;
  readonly message: string;
}

function remember(entry: Remembered): void {
  mkdirSync(dirname(flakyRecord), { recursive: true });
  appendFileSync(flakyRecord, `${JSON.stringify(entry)}\n`);
}

/** Those of earlier runs on this machine, newest last. */
function remembered(): string[] {
  if (!existsSync(flakyRecord)) return [];
  const entries: Remembered[] = readFileSync(flakyRecord, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const earlier = entries.slice(0, entries.length - flaky.length).slice(-REMEMBERED);
  return earlier.map(({ at, commit, test }) => `earlier, ${at.slice(0, 16)} at ${commit}: ${test}`);
}

async function testsRun(command: readonly string[]): Promise<{ report: Report | undefined; code: number }> {
  const path = join(folder, 'report.json');
  rmSync(path, { force: true });
  const code = await runProgram(command, { GATE_REPORT: path });
  return { report: existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined, code };
}

/**
 * The files that differ from main as it has landed, or, on main itself, from the commit before. A file that was only moved is
 * not edited. Undefined without a history.
 */
function filesOfTheChange(): ReadonlySet<string> | undefined {
  try {
    const head = git('rev-parse', 'HEAD');
    const main = process.env.GATE_BASE || 'origin/main';
    const landed = gitOr('', 'merge-base', main, 'HEAD');
    const base = landed !== '' && landed !== head ? landed : 'HEAD~1';
    const untracked = git('ls-files', '--others', '--exclude-standard').split('\n');
    const changes = git('diff', '--name-status', '--find-renames', base).split('\n');
    const edited = changes
      .filter((line) => !line.startsWith('R100'))
      .map((line) => line.split('\t').at(-1) ?? '');
    return new Set([...edited, ...untracked]);
  } catch {
    return undefined;
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 << 20,
  }).trim();
}

function gitOr(otherwise: string, ...args: string[]): string {
  try {
    return git(...args);
  } catch {
    return otherwise;
  }
}

function indented(text: string): string {
  return text.slice(0, 800).replace(/^/gm, '    ');
}
