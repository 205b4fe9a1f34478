// The reporter of every run of the tests: says in one line what was left out on this machine, and, for the gate (gate.ts),
// writes what failed to the file that GATE_REPORT names. There, a test that is skipped for a reason not listed here is an error.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason } from 'vitest/node';
import { writeError } from '../../shared/terminal/terminal.ts';
import { cacheFolder } from '../../shared/terminal/user-cache.ts';

/** What a machine may lack. Anything else that is skipped would stop being tested without anybody having decided it. */
const lacking: readonly RegExp[] = [
  /^no Chromium is installed/,
  /^tmux is not installed/,
  /^Prometheus is not installed/,
  /^there is no (?:python3|jq, or no openssl)/,
  /cannot be installed/,
  /^neither docker compose nor docker-compose is installed$/,
  /not built yet: npm run cluster -- --only-build$/,
];
/** Files that the page of the long suite names. */
const SLOWEST = 20;

export interface FailedTest {
  readonly title: string;
  readonly message: string;
}

export interface FailedFile {
  readonly file: string;
  /** Empty where the file itself failed, by its import or by what is done before its tests. */
  readonly tests: readonly FailedTest[];
  readonly message: string;
}

export interface Report {
  readonly files: number;
  readonly passed: number;
  readonly skipped: number;
  readonly failed: readonly FailedFile[];
  /** Why the run is red beside its failed tests: errors outside any test, skips without a listed reason, an interruption. */
  readonly problems: readonly string[];
  /** How many tests were skipped, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** How long each file took when it last ran on this machine, in ms; test/longest-first.ts reads it. */
export const durationsFile = (): string => join(cacheFolder(process.env), 'test-durations.json');

export default class GateReporter implements Reporter {
  /** The long suite runs for an hour: what fails is said with its cause at once, also in a run that is stopped. */
  onTestModuleEnd(module: TestModule): void {
    if (!process.env.LONG_SUITE_PAGE || module.state() !== 'failed') return;
    const { file, tests, message } = failedFile(module);
    writeError(
      `\nfailed: ${file} ${message}\n${tests.map((test) => `${test.title}: ${test.message}\n`).join('')}`,
    );
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const report = reportOf(modules, unhandled, reason);
    keepDurations(modules);
    const leftOut = leftOutLine(report.leftOut);
    if (leftOut) writeError(`${leftOut}\n`);
    if (process.env.LONG_SUITE_PAGE) writeError(`${pageOf(report, modules)}\n`);
    if (process.env.GATE_REPORT) writeFileSync(process.env.GATE_REPORT, JSON.stringify(report));
  }
}

export function leftOutLine(leftOut: Report['leftOut']): string | undefined {
  const parts = Object.entries(leftOut).map(
    ([reason, tests]) => `${tests} ${tests === 1 ? 'test' : 'tests'} (${reason})`,
  );
  return parts.length === 0 ? undefined : `Left out: ${parts.join(', ')}`;
}

function keepDurations(modules: readonly TestModule[]): void {
  const path = durationsFile();
  let former = {};
  try {
    former = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    mkdirSync(dirname(path), { recursive: true });
  }
  const now = modules.map((module) => [module.relativeModuleId, Math.round(module.diagnostic().duration)]);
  writeFileSync(path, JSON.stringify({ ...former, ...Object.fromEntries(now) }));
}

/** The last page of `npm run test:long`: what failed, what took long, and the sums. */
function pageOf(
  { passed, skipped, failed, problems, files }: Report,
  modules: readonly TestModule[],
): string {
  const seconds = (module: TestModule) => Math.round(module.diagnostic().duration / 1_000);
  const slowest = modules.toSorted((one, other) => seconds(other) - seconds(one)).slice(0, SLOWEST);
  const failures = failed.flatMap(({ file, tests, message }) =>
    tests.length > 0
      ? tests.map(({ title }) => `failed: ${file} > ${title}`)
      : [`failed: ${file}: ${message}`],
  );
  return [
    '',
    ...slowest.map((module) => `${`${seconds(module)} s`.padStart(7)}  ${module.relativeModuleId}`),
    ...failures,
    ...problems,
    `${files} files, ${passed} passed, ${failures.length} failed, ${skipped} skipped`,
  ].join('\n');
}

function reportOf(
  modules: readonly TestModule[],
  unhandled: readonly SerializedError[],
  reason: TestRunEndReason,
): Report {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  // Outside the long suite, the filter of the run leaves out what has its tag.
  const skips = tests.filter((test) => test.result().state === 'skipped' && !isLeftToLongSuite(test));
  const leftOut: Record<string, number> = {};
  const problems = unhandled.map(({ message, stack }) => `an error outside any test: ${stack ?? message}`);
  for (const test of skips) {
    const why = skipReason(test);
    if (lacking.some((known) => known.test(why))) leftOut[why] = (leftOut[why] ?? 0) + 1;
    else
      problems.push(
        `skipped for no listed reason (scripts/gate/reporter.ts): ${test.module.relativeModuleId} > ${test.fullName}: ${why}`,
      );
  }
  if (reason === 'interrupted') problems.push('the run was interrupted');
  if (tests.length === 0) problems.push('no test ran');
  return {
    files: modules.length,
    passed: tests.filter((test) => test.result().state === 'passed').length,
    skipped: skips.length,
    failed: modules.filter((module) => module.state() === 'failed').map(failedFile),
    problems,
    leftOut,
  };
}

const isLeftToLongSuite = ({ tags }: TestCase) => !process.env.LONG_SUITE_PAGE && tags.includes('long');

function skipReason(test: TestCase): string {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  if (note !== undefined) return note;
  // A whole block is skipped by its title.
  if (test.fullName.includes('(no Chromium is installed'))
    return 'no Chromium is installed (apt-get install chromium, or set CHROMIUM_PATH)';
  return 'no reason is given: skip(reason) has one';
}

function failedFile(module: TestModule): FailedFile {
  const failed = [...module.children.allTests('failed')];
  const own = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
  return {
    file: relative(process.cwd(), module.moduleId),
    tests: failed.map((test) => ({ title: test.fullName, message: messageOf(test.result().errors ?? []) })),
    message: messageOf(own),
  };
}

const messageOf = (errors: readonly { message: string; stack?: string }[]) =>
  errors.map(({ message, stack }) => `${message}\n${(stack ?? '').slice(0, 400)}`).join('\n');
