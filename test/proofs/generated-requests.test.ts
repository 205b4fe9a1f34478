// Requests that a fuzzer generates from the OpenAPI document alone, valid and not: no answer is a 5xx, every answer is as
// the document says, and no request that is valid by the document is refused as InvalidRequest.
// In the long form only: in the short one fuzz.test.ts makes requests, and compares their answers with the document.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { operationNames } from '../../contract/index.ts';
import { accessToken } from '../support/caller.ts';
import { createDatabase } from '../support/database.ts';
import { isLongForm } from '../support/form.ts';
import { type Python, pythonWith } from '../support/python.ts';
import { startServiceProcess } from '../support/service-process.ts';

const REQUESTS = 5_000;
const TIMEOUT_MS = 3_600_000;
/** Of an operation with few fields the fuzzer finds fewer cases than it is asked for. */
const SPARE = 1.1;
/** The same requests each time: a test that fails does so again. */
const SEED = process.env.SEED ?? '1';

interface NotedAnswer {
  readonly path: string;
  /** By the document. */
  readonly isValid: boolean;
  readonly status: number;
  readonly request: string;
  readonly answer: string;
}

test.runIf(isLongForm)(
  `${REQUESTS} requests generated from the OpenAPI document are answered as it says`,
  {
    timeout: TIMEOUT_MS,
  },
  async ({ skip }) => {
    const python = await pythonWith('schemathesis');
    if (typeof python === 'string') return skip(python);
    await using testDatabase = await createDatabase();
    const service = await startServiceProcess({
      DATABASE_URL: testDatabase.url,
      SERVICE_PORT: '0',
      SERVICE_CALLBACK_SENDER: 'off',
      SERVICE_TOKEN_LIFETIME_SECONDS: '86400',
    });
    onTestFinished(() => service.kill());
    const { answers, report } = await generated(python, service.address);
    const shown = ({ path, request, status, answer }: NotedAnswer) =>
      `${path} ${request}: ${status} ${answer}`;
    expect(answers.filter(({ status }) => status >= 500).map(shown)).toEqual([]);
    expect(service.errorLines).toEqual([]);
    const refused = answers.filter((answer) => answer.isValid && isRefused(answer));
    expect(refused.map(shown)).toEqual([]);
    expect(report).toBe('');
    // Last: a run that is short of its count is to show all the same what it found.
    expect(answers.length).toBeGreaterThanOrEqual(REQUESTS);
    expect(new Set(answers.map(({ path }) => path)).size).toBeGreaterThanOrEqual(operationNames.length);
    console.log(summary(answers));
  },
);

// No schema can say: a key that was used with another body, a cursor that the service never gave, which domain beyond ASCII
// DNS can have, which moment is before another, and how far two moments, or the moves of a clock, go together.
const isRefused = ({ status, answer }: NotedAnswer): boolean =>
  status !== 422 &&
  /"error":"(?:InvalidRequest|MissingFile)"/.test(answer) &&
  !answer.includes('"message":"cursor:') &&
  !answer.includes('"message":"emailAddress: is not an e-mail address"') &&
  !answer.includes('"message":"since: must be ') &&
  !answer.includes('"message":"advance: the clock may be at most ten years ahead of the real time');

async function generated(python: Python, address: string) {
  const folder = await mkdtemp(join(tmpdir(), 'generated-requests-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const noted = join(folder, 'answers');
  const args = [
    ...['-m', 'schemathesis.cli', 'run', `${address}/openapi.json`],
    ...['--header', `Authorization: Bearer ${await accessToken(address)}`],
    ...[
      '--phases',
      'examples,fuzzing',
      '--max-examples',
      String(Math.ceil((REQUESTS * SPARE) / operationNames.length)),
    ],
    ...[
      '--checks',
      'note_answer,not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance',
    ],
    ...['--suppress-health-check', 'all', '--continue-on-failure', '--no-shrink', '--seed', SEED],
    ...['--workers', '2', '--warnings', 'off', '--generation-database', 'none', '--no-color'],
  ];
  const { program, env } = python;
  const outcome = await promisify(execFile)(program, args, {
    cwd: folder,
    env: {
      ...env,
      PYTHONPATH: `${env.PYTHONPATH}:${import.meta.dirname}`,
      SCHEMATHESIS_HOOKS: 'note_answers',
      NOTED_ANSWERS: noted,
    },
    maxBuffer: 100_000_000,
    timeout: TIMEOUT_MS,
  }).then(
    () => '',
    (error: Error & { stdout?: string; stderr?: string }) => `${error.stdout}\n${error.stderr}`,
  );
  const lines = await readFile(noted, 'utf8').catch(() => '');
  const answers = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line): NotedAnswer => JSON.parse(line));
  return { answers, report: outcome };
}

function summary(answers: readonly NotedAnswer[]): string {
  const valid = answers.filter(({ isValid }) => isValid);
  const succeeded = valid.filter(({ status }) => status === 200);
  return `${answers.length} requests, ${valid.length} of them valid, ${succeeded.length} of these carried out`;
}
