// Requests to the API of processes that a fuzzer generates from the running document, valid and not: no answer is a 5xx, every
// answer is as the document says, nothing valid is refused as InvalidRequest and nothing invalid is taken.
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { searchAttributes } from '../../contract/flows/search-attributes.ts';
import { startTemporalServer } from '../../scripts/temporal/server.ts';
import { demoToken, programOf } from '../console/api/program.ts';
import { newConsoleOf } from '../console/console-world.ts';
import { ourService, startInstallation } from '../end-to-end/installation.ts';
import { pythonWith } from '../support/python/python.ts';
import { fuzzed, type NotedAnswer, shownAnswer } from '../support/python/schemathesis.ts';

const EXAMPLES = Number(process.env.EXAMPLES ?? 30);
const TIMEOUT_MS = 3_600_000;

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
  // A stream has no end, and a start may wait for a minute.
  const more = ['--exclude-path-regex', '/stream$', '--request-timeout', '90'];
  const { answers, report } = await fuzzed(python, server.address, { token, examples: EXAMPLES, more });
  expect(answers.filter(({ status }) => status >= 500).map(shownAnswer)).toEqual([]);
  expect(answers.filter((answer) => answer.isValid && isRefused(answer)).map(shownAnswer)).toEqual([]);
  expect(answers.filter((answer) => answer.isValid === false && isTaken(answer)).map(shownAnswer)).toEqual(
    [],
  );
  expect(report).toBe('');
  console.log(`${answers.length} requests, ${answers.filter(({ isValid }) => isValid).length} of them valid`);
});

// No schema can say: that a text is a cursor of this server, that a moment is near or a duration short enough, that a flow file
// is right, that no object at any depth has the key __proto__, that a key of a batch names columns that its rows have and in
// which they differ, and what the contract asks of values beyond JSON Schema.
const isRefused = ({ status, request, answer }: NotedAnswer): boolean =>
  status === 400 &&
  !request.includes("'__proto__'") &&
  answer.includes('"InvalidRequest"') &&
  !answer.includes('is not a page') &&
  !answer.includes('must be the next of the page before') &&
  !answer.includes('must be within two days of now') &&
  !answer.includes('of at most P30D') &&
  !answer.includes('is the same for several rows') &&
  !answer.includes('which a row does not have') &&
  !answer.includes('is not an e-mail address');

// The tool's regular expressions have no surrogates: it takes a character beyond U+FFFF, which Python shows as \U0005beea, for
// half of one, and the text for wrong.
const isTaken = ({ status, request }: NotedAnswer): boolean =>
  status < 300 && !/\\U000|[\u{10000}-\u{10FFFF}]/u.test(request);
