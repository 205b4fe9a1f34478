// A reporter for continuous integration (.ci/run): a test that is skipped for a reason that is not listed here fails the run.
// So what a machine lacks is known, and nothing stops being tested without anybody having decided it.
import { readFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** What a machine of continuous integration may lack, or a run leave out. */
const allowed: readonly RegExp[] = [
  /(?:^|: )in the long form only/,
  /^neither docker compose nor docker-compose is installed$/,
  // The programs of the cluster are built with Go.
  /not built yet: npm run cluster -- --only-build$/,
  // Restate and DBOS are installed by the benchmark alone.
  /not in the cache yet: npm run bench -- engines$/,
  /^Prometheus is not installed/,
];

export interface Skip {
  readonly title: string;
  /** As the test gave it. */
  readonly note: string | undefined;
  /** The text of its file. */
  readonly source: string;
}

/** One without a note belongs to the long form where its file knows the forms; then nothing else may be skipped so. */
const reasonOf = ({ note, source, title }: Skip): string => {
  if (note !== undefined) return note;
  const isOfForm = /runIf\(!?isLongForm\)/.test(source) && !/no Chromium is installed/.test(title);
  return isOfForm ? 'in the long form only' : 'no reason is given: skip(reason) has one';
};

export const unexpected = (skips: readonly Skip[]): string[] =>
  skips
    .filter((skip) => !allowed.some((reason) => reason.test(reasonOf(skip))))
    .map((skip) => `${skip.title}: ${reasonOf(skip)}`);

export default class UnexpectedSkips implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const found = unexpected(modules.flatMap(skipsOf));
    if (found.length === 0) return;
    process.stderr.write(`Skipped for no allowed reason (tools/ci/unexpected-skips.ts):\n`);
    for (const each of found) process.stderr.write(`  ${each}\n`);
    process.exitCode = 1;
  }
}

function skipsOf(module: TestModule): Skip[] {
  const source = readFileSync(module.moduleId, 'utf8');
  return [...module.children.allTests('skipped')].map((test) => {
    const result = test.result();
    const note = result.state === 'skipped' ? result.note : undefined;
    return { title: `${module.relativeModuleId} > ${test.fullName}`, note, source };
  });
}
