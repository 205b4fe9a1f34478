// Requests that a fuzzer generates from the OpenAPI document alone, valid and not: no answer is a 5xx, every answer is as
// the document says, and no request that is valid by the document is refused as InvalidRequest.
// In the long suite only: in `npm test` fuzz.test.ts makes requests, and compares their answers with the document.
import { expect, onTestFinished, test } from 'vitest';
import { operationNames } from '../../contract/index.ts';
import { accessToken } from '../support/caller.ts';
import { createDatabase } from '../support/database.ts';
import { pythonWith } from '../support/python/python.ts';
import { fuzzed, type NotedAnswer, shownAnswer } from '../support/python/schemathesis.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { isLongSuite } from '../support/suite.ts';

const REQUESTS = 5_000;
const TIMEOUT_MS = 3_600_000;
/** Of an operation with few fields the fuzzer finds fewer cases than it is asked for. */
const SPARE = 1.1;
test.runIf(isLongSuite)(
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
    const { answers, report } = await fuzzed(python, service.address, {
      token: await accessToken(service.address),
      examples: Math.ceil((REQUESTS * SPARE) / operationNames.length),
    });
    expect(answers.filter(({ status }) => status >= 500).map(shownAnswer)).toEqual([]);
    expect(service.errorLines).toEqual([]);
    const refused = answers.filter((answer) => answer.isValid && isRefused(answer));
    expect(refused.map(shownAnswer)).toEqual([]);
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

function summary(answers: readonly NotedAnswer[]): string {
  const valid = answers.filter(({ isValid }) => isValid);
  const succeeded = valid.filter(({ status }) => status === 200);
  return `${answers.length} requests, ${valid.length} of them valid, ${succeeded.length} of these carried out`;
}
