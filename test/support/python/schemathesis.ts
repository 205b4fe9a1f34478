// Runs Schemathesis, a fuzzer that makes requests from an OpenAPI document alone, valid and not, and notes each answer.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import type { Python } from './python.ts';

const TIMEOUT_MS = 3_600_000;
/** The same requests each time: a test that fails does so again. */
const SEED = process.env.SEED ?? '1';

export interface NotedAnswer {
  readonly path: string;
  readonly query: string;
  /** By the document; null: it is not known what of the request was sent. */
  readonly isValid: boolean | null;
  readonly status: number;
  readonly request: string;
  readonly answer: string;
}

export interface Fuzzed {
  readonly answers: readonly NotedAnswer[];
  /** What it said; empty if every answer was as the document says. */
  readonly report: string;
}

export const shownAnswer = ({ path, query, request, status, answer }: NotedAnswer): string =>
  `${path} ${query} ${request}: ${status} ${answer}`;

export async function fuzzed(
  { program, env }: Python,
  address: string,
  {
    token,
    examples,
    more = [],
  }: { readonly token: string; readonly examples: number; readonly more?: readonly string[] },
): Promise<Fuzzed> {
  const folder = await mkdtemp(join(tmpdir(), 'generated-requests-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const noted = join(folder, 'answers');
  const args = [
    ...['-m', 'schemathesis.cli', 'run', `${address}/openapi.json`],
    ...['--header', `Authorization: Bearer ${token}`],
    ...['--phases', 'examples,fuzzing', '--max-examples', String(examples)],
    ...[
      '--checks',
      'note_answer,not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance',
    ],
    ...['--suppress-health-check', 'all', '--continue-on-failure', '--no-shrink', '--seed', SEED],
    ...['--workers', '1', '--warnings', 'off', '--generation-database', 'none', '--no-color'],
    ...more,
  ];
  const report = await promisify(execFile)(program, args, {
    cwd: folder,
    env: {
      ...env,
      PYTHONPATH: `${env.PYTHONPATH}:${join(import.meta.dirname, '../../proofs')}`,
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
  return { answers, report };
}
