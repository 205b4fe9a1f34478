// Runs the flow files and connectors of docs/examples/connectors/ as they are. The servers answer as the documentation of
// ServiceNow, Slack and Teams says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import {
  json,
  type Reply,
  raw,
  startTestServer,
  type TestRequest,
  text,
} from '../../shared/locker-api/test-server.ts';
import { textOfHistory } from '../../support/history.ts';
import { runningFiles, uniqueName } from './running-files.ts';

const files = runningFiles();
const examples = join(import.meta.dirname, '../../../docs/examples/connectors');
const textOf = (name: string) => readFileSync(join(examples, name), 'utf8');
const secrets: Readonly<Record<string, string>> = {
  'servicenow-password': 'pass-word-of-servicenow',
  'postmark-token': 'token-of-postmark',
};
const server = await startTestServer(json(500, {}));
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.requests.length = 0;
});

/** The connectors, but with the address of the test's server in place of theirs. */
async function using<Result>(run: () => Promise<Result>): Promise<Result> {
  const here = textOf('connectors.yaml').replace(/(?<=address: )https:\/\/[^/\s]+/g, server.url);
  const read = (path: string) =>
    secrets[path] ?? `${server.url}/hooks/secret-of-${path}?sig=secret-signature`;
  files.connectors = new Connectors(readConnectors(here, read));
  try {
    return await run();
  } finally {
    await files.connectors.close();
  }
}

async function ran(path: string, request: object): Promise<{ result: unknown; history: string }> {
  const file = textOf(`${path}.flow.yaml`);
  const [, flow = ''] = /^name: (\w+)$/m.exec(file) ?? [];
  const name = uniqueName(flow);
  await files.publish(file.replace(`name: ${flow}`, `name: ${name}`));
  const handle = await files.start(name, { request });
  return { result: await handle.result(), history: await textOfHistory(handle) };
}

const bodyOf = ({ body }: TestRequest) => JSON.parse(body) as Readonly<Record<string, unknown>>;

/** Answers as the Table API does. The answer to the first POST is lost. */
function serviceNow(incidents: Map<string, string>): Reply {
  return (response, request) => {
    const basic = Buffer.from(`lockerflow:${secrets['servicenow-password']}`).toString('base64');
    if (request.headers.authorization !== `Basic ${basic}`)
      return json(401, {
        error: { message: 'User Not Authenticated', detail: 'Required to provide Auth information' },
        status: 'failure',
      })(response, request);
    const url = new URL(request.path, server.url);
    if (url.pathname !== '/api/now/table/incident')
      return json(400, { error: { message: 'Invalid table', detail: null }, status: 'failure' })(
        response,
        request,
      );
    if (request.method === 'GET') {
      const [, id = ''] = url.searchParams.get('sysparm_query')?.split('=') ?? [];
      const number = incidents.get(id);
      return json(200, { result: number === undefined ? [] : [{ number }] })(response, request);
    }
    const number = `INC${10_000 + incidents.size}`;
    incidents.set(String(bodyOf(request).correlation_id), number);
    return raw('', 'reset')(response, request);
  };
}

test('an incident in ServiceNow is made once, although the answer of the one that made it is lost', async () => {
  const incidents = new Map<string, string>();
  server.reply = serviceNow(incidents);
  const { result, history } = await using(() => ran('open-incident', { item: 'laptop-7' }));
  expect(result).toBe('INC10000');
  expect([...incidents.values()]).toEqual(['INC10000']);
  expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
  expect(history).not.toContain(secrets['servicenow-password']);
});

test('Slack and Teams get their messages at addresses that no history shows', async () => {
  server.reply = (response, request) =>
    request.path.includes('slack')
      ? text(200, 'text/html', 'ok')(response, request)
      : text(202, 'text/plain', '')(response, request);
  const { history } = await using(() => ran('tell-chat', { parcel: 'P-1' }));
  const [slack, teams] = server.requests;
  expect(slack?.path).toBe('/hooks/secret-of-slack-webhook?sig=secret-signature');
  expect(bodyOf(slack as TestRequest)).toEqual({ text: 'Parcel P-1 has arrived' });
  expect(teams?.path).toBe('/hooks/secret-of-teams-webhook?sig=secret-signature');
  expect(bodyOf(teams as TestRequest)).toMatchObject({
    type: 'message',
    attachments: [{ content: { body: [{ text: 'Parcel P-1 has arrived' }] } }],
  });
  expect(history).not.toContain('secret-');
});
