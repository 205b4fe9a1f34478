// Requests that a fuzzer (Schemathesis) generates from each OpenAPI document alone, valid and not: no answer is a 5xx, every
// answer is as the document says, and no request that is valid by the document is refused as InvalidRequest. `npm test` has
// fuzz.test.ts, which makes requests itself.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { searchAttributes } from '../../../../contract/flows/search-attributes.ts';
import { operationNames } from '../../../../contract/index.ts';
import { isVisible } from '../../../../contract/wire/names.ts';
import { ON_BEHALF_OF_HEADER, REASON_HEADER } from '../../../../contract/wire/request-headers.ts';
import { startTemporalServer } from '../../../../local/temporal/server.ts';
import { demoToken, programOf } from '../../../console/api/program.ts';
import { newConsoleOf } from '../../../console/console-world.ts';
import { ourService, startInstallation } from '../../../end-to-end/installation.ts';
import { accessToken } from '../../../support/caller.ts';
import { createDatabase } from '../../../support/database.ts';
import { type Python, pythonWith } from '../../../support/python/python.ts';
import { startServiceProcess } from '../../../support/service-process.ts';

const REQUESTS = 5_000;
const EXAMPLES = Number(process.env.EXAMPLES ?? 30);
/** So many requests, one after the other, of which some may take 90 s. */
const TIMEOUT_MS = 1_800_000;
/** For an operation with few fields the fuzzer finds fewer cases than it is asked for. */
const SPARE = 1.1;
/** The same requests each time: a test that fails does so again. */
const SEED = process.env.SEED ?? '1';

interface NotedAnswer {
  readonly path: string;
  readonly query: string;
  /** By the document; null: it is not known what of the request was sent. */
  readonly isValid: boolean | null;
  readonly status: number;
  readonly request: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: string;
}

const shownAnswer = ({ path, query, request, status, answer }: NotedAnswer): string =>
  `${path} ${query} ${request}: ${status} ${answer}`;

/** Makes the requests, judges the answers, and gives them. */
async function fuzzed(
  { program, env }: Python,
  address: string,
  { token, examples, more = [] }: { token: string; examples: number; more?: readonly string[] },
  isRefused: (answer: NotedAnswer) => boolean,
): Promise<NotedAnswer[]> {
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
  expect(answers.filter(({ status }) => status >= 500).map(shownAnswer)).toEqual([]);
  const refused = answers.filter((answer) => answer.isValid && isRefused(answer));
  expect(refused.map(shownAnswer)).toEqual([]);
  // It is empty if every answer was as the document says.
  expect(report).toBe('');
  const valid = answers.filter(({ isValid }) => isValid);
  const succeeded = valid.filter(({ status }) => status < 300);
  console.log(
    `${answers.length} requests, ${valid.length} of them valid, ${succeeded.length} of these carried out`,
  );
  return answers;
}

test(`${REQUESTS} requests generated from the OpenAPI document are answered as it says`, {
  timeout: TIMEOUT_MS,
}, async ({ skip }) => {
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
  const token = await accessToken(service.address);
  const examples = Math.ceil((REQUESTS * SPARE) / operationNames.length);
  const answers = await fuzzed(python, service.address, { token, examples }, isRefused);
  expect(service.errorLines).toEqual([]);
  // Last: a run that is short of its count is to show all the same what it found.
  expect(answers.length).toBeGreaterThanOrEqual(REQUESTS);
  expect(new Set(answers.map(({ path }) => path)).size).toBeGreaterThanOrEqual(operationNames.length);
});

/** Which characters nobody sees is Unicode's: no pattern has them all. */
const hasUnseen = ({ headers }: NotedAnswer): boolean =>
  [ON_BEHALF_OF_HEADER, REASON_HEADER].some((name) => {
    const given = headers[name];
    return given !== undefined && !isVisible(decodeURIComponent(given));
  });

// No schema can say: a key that was used with another body, a cursor that the service never gave, which domain beyond ASCII
// DNS can have, which moment is before another, and how far two moments, or the moves of a clock, go together.
const isRefused = (noted: NotedAnswer): boolean => {
  const { status, answer } = noted;
  return (
    status !== 422 &&
    !hasUnseen(noted) &&
    /"error":"(?:InvalidRequest|MissingFile)"/.test(answer) &&
    !answer.includes('"message":"cursor:') &&
    !answer.includes('"message":"emailAddress: is not an e-mail address') &&
    !answer.includes('"message":"since: must be ') &&
    !answer.includes('"message":"advance: the clock may be at most ten years ahead of the real time')
  );
};

const asking = (name: string) => `
name: ${name}
meaning: Asks the desk for a number.
input: { type: object, required: [item], properties: { item: { type: string, maxLength: 40 } }, additionalProperties: false }
initial: asking
states:
  asking: { invoke: { id: ask, src: ask, input: { of: desk, question: "How many?", fields: { number: { type: number } } }, onDone: over } }
  over: { type: final }
`;

test('requests generated from the document of processes are answered as it says', {
  timeout: TIMEOUT_MS,
}, async ({ skip }) => {
  const python = await pythonWith('schemathesis');
  if (typeof python === 'string') return skip(python);
  // Its own: a process of another test, whose worker is gone, would be waited for.
  const temporal = await startTemporalServer({ searchAttributes });
  onTestFinished(() => temporal.stop());
  process.env.TEMPORAL_ADDRESS = temporal.address;
  const at = await startInstallation(ourService, { temporalAddress: temporal.address });
  onTestFinished(() => at[Symbol.asyncDispose]());
  const server = await newConsoleOf(at);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const token = await demoToken(at.service.address);
  const text = asking(`Asking${randomUUID().slice(0, 8)}`);
  await programOf(server.address, token).post('/v1/flows', { files: [{ path: 'a.flow.yaml', text }] });
  // A start may wait for a minute.
  const more = ['--request-timeout', '90'];
  const answers = await fuzzed(python, server.address, { token, examples: EXAMPLES, more }, isProcessRefused);
  expect(answers.filter((answer) => answer.isValid === false && isTaken(answer)).map(shownAnswer)).toEqual(
    [],
  );
});

// No schema can say: that a text is a cursor of this server, that a duration is short enough, that a flow file is right, that no
// object at any depth has the key __proto__, what the contract asks of values beyond JSON Schema, which moment is soon enough, what
// a question asks, and which keys and events the published files know.
const isProcessRefused = (noted: NotedAnswer): boolean => {
  const { status, request, answer } = noted;
  return (
    status === 400 &&
    !hasUnseen(noted) &&
    !request.includes("'__proto__'") &&
    answer.includes('"InvalidRequest"') &&
    !answer.includes('is not a page') &&
    !answer.includes('must be the next of the page before') &&
    !answer.includes('of at most P30D') &&
    !answer.includes('"field":"until","message":"must be in the future"') &&
    !answer.includes('"field":"until","message":"must be within 31 days"') &&
    !answer.includes('"field":"values.') &&
    !(
      request.includes("'search': {") && answer.includes('"detail":"no process is named, and none is found"')
    ) &&
    !answer.includes('"field":"where","message":"no published flow has the key ') &&
    !answer.includes(
      '"field":"where","message":"is missing, and no published flow file starts by this event',
    ) &&
    !answer.includes('is not an e-mail address')
  );
};

// The tool's regular expressions have no surrogates: it takes a character beyond U+FFFF, which Python shows as \U0005beea, for
// half of one, and the text for wrong.
const isTaken = ({ status, request }: NotedAnswer): boolean =>
  status < 300 && !/\\U000|[\u{10000}-\u{10FFFF}]/u.test(request);
