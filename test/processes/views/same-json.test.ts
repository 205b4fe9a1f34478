// Each view of processes has one reader: the command line (--json), the API and, where it asks another route, the page give the
// same JSON, which is what the OpenAPI document says. With everything real.
import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, test, vi } from 'vitest';
import type { FlowWithSchemas } from '../../../processes/views/flows.ts';
import { run } from '../../cli/lockerflow-program.ts';
import { useProgram } from '../../console/api/program.ts';
import { issueRequest, useConsoleOf } from '../../console/console-world.ts';
import { useInstallationAlone } from '../../console/installation-alone.ts';
import { ourService } from '../../end-to-end/installation.ts';

const installation = useInstallationAlone(ourService);
const patience = { timeout: 60_000, interval: 100 };
const name = `Check${randomUUID().slice(0, 8)}`;
const desk = `desk-${name}`;
const keys = { open: `${name}-open`, left: `${name}-left`, asks: `${name}-asks` };
const FILE = `
name: ${name}
meaning: The desk checks a device.
events:
  check.hurried: { data: { type: object, required: [why], properties: { why: { type: string } } } }
initial: checking
states:
  checking:
    after: { P3D: over }
    on: { check.hurried: { actions: { type: log, params: { message: "\${event.data.why}" } } } }
    invoke: { id: check, src: ask, input: { of: ${desk}, question: "Is it whole?", fields: { state: { choice: [whole, broken] } } }, onDone: over }
  over: { type: final }
`;

const server = useConsoleOf(installation, () => installation().temporalAddress);
const program = useProgram(server, installation);
let ajv: Ajv2020;
let document: Document;

interface Document {
  readonly paths: Record<
    string,
    { get?: { responses: Record<string, { content: Record<string, { schema: object }> }> } }
  >;
}

/** An open process, one that has left an item in its locker, and one that asks the desk. */
beforeAll(async () => {
  const { flows, people, client } = installation();
  const request = { ...issueRequest, pupUid: `pup-${randomUUID()}` };
  await people.newPickUpPoint(request.pupUid, 4);
  await flows.publish([{ path: 'check.flow.yaml', text: FILE }]);
  await flows.startPublished(name, keys.asks, {});
  await flows.start('Issue', keys.open, { request, deadlines: { issue: { pickUp: 'P3D' } } });
  const handle = await flows.start('Issue', keys.left, { request });
  const stateOf = async () => (await handle.progress()).shipments.issue;
  await vi.waitUntil(async () => (await stateOf())?.stateCode === 'ReadyForDropoff', patience);
  await people.dropOff((await stateOf())?.shipmentUid ?? '');
  await vi.waitUntil(async () => (await stateOf())?.stateCode === 'ReadyForPickup', patience);
  await client.workflow.getHandle(keys.left).cancel();
  await expect(client.workflow.getHandle(keys.left).result()).rejects.toThrow();
  const found = `WorkflowId STARTS_WITH '${name}'`;
  const settled = `(WorkflowId = '${keys.open}' AND LockerBookedAt IS NOT NULL) OR (WorkflowId = '${keys.left}' AND ExecutionStatus = 'Canceled') OR (WorkflowId = '${keys.asks}' AND LockerInbox IS NOT NULL)`;
  await vi.waitUntil(
    async () => (await client.workflow.count(`${found} AND (${settled})`)).count === 3,
    patience,
  );
  document = (await program().get<Document>('/openapi.json')).body;
  ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...document, $id: 'processes' });
}, 120_000);

async function byCommandLine(...words: string[]): Promise<unknown> {
  const { taskQueue, service, temporalAddress } = installation();
  const { code, out, err } = await run([...words, '--json'], {
    taskQueue,
    variables: {
      TEMPORAL_ADDRESS: temporalAddress,
      LOCKER_API_URL: service.address,
      LOCKER_AUTH_URL: service.address,
      LOCKER_CLIENT_ID: 'demo',
      LOCKER_CLIENT_SECRET: 'demo-secret',
    },
  });
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

/** As the document says that it is. */
async function byApi(path: string, route = path.split('?')[0] ?? ''): Promise<unknown> {
  const { status, body } = await program().get<unknown>(path);
  expect([path, status]).toEqual([path, 200]);
  if (!document.paths[route]?.get) throw new TypeError(`the document has no GET ${route}`);
  const place = ['paths', route, 'get', 'responses', '200', 'content', 'application/json', 'schema'];
  const pointer = place.map((each) => encodeURIComponent(each.replaceAll('~', '~0').replaceAll('/', '~1')));
  const isValid = ajv.validate(`processes#/${pointer.join('/')}`, body);
  expect([route, isValid ? [] : ajv.errors]).toEqual([route, []]);
  return body;
}

const inKeys = `WorkflowId IN (${Object.values(keys)
  .map((key) => `'${key}'`)
  .join(', ')})`;

// Temporal finds by what it was told a moment ago, and the console keeps what it has read for all who look: the two are compared
// once both have heard the last of it.
test('the list', async () => {
  const wanted = `/v1/processes?state=all&find=${name}`;
  await vi.waitFor(async () => {
    const rows = (await byApi(wanted)) as { items: { status: string; summary: unknown }[] };
    expect(rows.items).toHaveLength(3);
    expect(rows.items.filter(({ status, summary }) => status === 'Running' && summary === null)).toEqual([]);
    expect(await byCommandLine('list', '--query', inKeys)).toEqual(rows);
  }, patience);
});

test.each(Object.entries(keys))('one process: %s', async (_, key) => {
  const path = `/v1/processes/${key}`;
  const shown = await byApi(path, '/v1/processes/{key}');
  expect(await byCommandLine('show', key)).toEqual(shown);
  // What the page shows of it has all of that.
  expect(await byApi(`${path}/details`, '/v1/processes/{key}/details')).toMatchObject(shown as object);
  const history = await byApi(`${path}/history`, '/v1/processes/{key}/history');
  expect(await byCommandLine('show', key, '--history')).toEqual(history);
});

test('an open process says in one answer where it stands and what can be done to it', async () => {
  const { client } = installation();
  for (const key of [keys.open, keys.asks]) {
    const handle = client.workflow.getHandle(key);
    const at = new Date().toISOString();
    const both = await handle.query('actions', { at, withProgress: true });
    const [actions, progress] = [await handle.query('actions', { at }), await handle.query('progress')];
    expect(both).toEqual({ ...(actions as object), progress });
    const { body } = await program().get<{ actions: unknown; progress: unknown }>(`/v1/processes/${key}`);
    expect(Object.keys(body.actions as object)).toEqual(Object.keys(actions as object));
    expect(body.progress).toEqual(progress);
  }
});

test('the questions of an inbox, and everything that waits for a person', async () => {
  const questions = await byApi(`/v1/inbox?of=${desk}`);
  expect(questions).toMatchObject({ items: [{ key: keys.asks, question: 'check' }], unasked: 0 });
  expect(await byCommandLine('inbox', desk)).toEqual(questions);
  expect(await byCommandLine('inbox')).toEqual(await byApi('/v1/inbox'));
  const view = (await byApi('/v1/inbox/entries')) as { entries: { about?: unknown }[] };
  // Names are the service's, as in the list.
  const entries = view.entries.map(({ about: _, ...entry }) => entry);
  expect(entries).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'itemLeft' })]));
  expect(await byCommandLine('inbox', '--all')).toEqual({ ...view, entries });
});

test('the flows, counted and not, and one of each kind with its schemas', async () => {
  expect(await byCommandLine('flows')).toEqual(await byApi('/v1/flows'));
  const counted = await byApi('/v1/flows?counts=true');
  expect(counted).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ flow: name, version: 1, open: 1 })]),
  });
  for (const flow of ['Issue', name]) {
    const shown = (await byCommandLine('flows', flow)) as FlowWithSchemas;
    expect(shown).toEqual(await byApi(`/v1/flows/${flow}`, '/v1/flows/{flow}'));
    // The package gives the same schemas, and each can be used by itself.
    expect(shown).toMatchObject(await installation().flows.schemas(flow));
    const { start, input, result, example, events } = shown;
    for (const schema of [
      start,
      input,
      ...(result ? [result] : []),
      ...events.flatMap(({ data }) => (data ? [data] : [])),
    ])
      expect(() => ajv.compile(schema)).not.toThrow();
    expect(example === null || ajv.validate(start, example)).toBe(true);
    if (flow === name)
      expect(events).toMatchObject([
        {
          type: 'check.hurried',
          data: { required: ['why'] },
          starts: false,
          text: 'Takes check.hurried: why (string)',
        },
      ]);
  }
});
