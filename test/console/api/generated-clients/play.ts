// A program of a stranger: a fetch client with types that openapi-typescript made of the document of the running console. It plays
// a flow file with a question to its end and prints the result.
import createClient, { type Middleware } from 'openapi-fetch';
import type { components as ProcessComponents, paths as ProcessPaths } from './processes.d.ts';

declare const process: { readonly argv: readonly string[] };
interface PlayInput {
  readonly processes: string;
  /** For processes: one that may do everything, and one of a clerk who only answers. */
  readonly token: string;
  readonly clerkToken: string;
  readonly inbox: string;
}
const given = JSON.parse(process.argv[2] ?? '') as PlayInput;

type Schemas = ProcessComponents['schemas'];

const processes = createClient<ProcessPaths>({ baseUrl: given.processes });
processes.use(withToken(given.token));
const clerk = createClient<ProcessPaths>({ baseUrl: given.processes });
clerk.use(withToken(given.clerkToken));

console.log(JSON.stringify({ check: await playQuestion() }));

async function playQuestion(): Promise<unknown> {
  const check: Schemas['DeskCheckStart'] = {
    flow: 'DeskCheck',
    key: `check-${crypto.randomUUID()}`,
    request: { item: 'drill' },
  };
  await started(check);
  const { key } = check;
  await until(async () => {
    const { progress } = await read(key);
    return progress && 'events' in progress && progress.events.includes('payment.received');
  });
  const sent = await processes.POST('/v1/processes/{key}/events', {
    params: { path: { key } },
    body: { type: 'payment.received', id: 'payment-7' },
  });
  expected(sent);
  const asked = await until(async () => {
    const inbox = expected(await clerk.GET('/v1/inbox', { params: { query: { of: given.inbox } } }));
    return inbox.items.find((each) => each.key === key);
  });
  const answered = await clerk.POST('/v1/processes/{key}/answers', {
    params: { path: { key }, header: { 'idempotency-key': crypto.randomUUID() } },
    body: { question: asked.question, values: { state: 'whole' } },
  });
  expected(answered);
  return (await ended(check)).result;
}

async function started(body: Schemas['Start']): Promise<Schemas['Process']> {
  return expected(await processes.POST('/v1/processes', { body }));
}

/** Waits by repeating the start: the same key and input is the same process. */
async function ended(body: Schemas['Start']): Promise<Schemas['Process']> {
  return await until(async () => {
    const params = { header: { prefer: 'wait=30' } };
    const shown = expected(await processes.POST('/v1/processes', { params, body }));
    return shown.status !== 'Running' && shown;
  });
}

async function read(key: string): Promise<Schemas['Process']> {
  return expected(await processes.GET('/v1/processes/{key}', { params: { path: { key } } }));
}

/** A rejected request has the problem, an accepted one its answer. */
function expected<Data>({ data, error, response }: Came<Data>): Data {
  if (data !== undefined) return data;
  throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
}
interface Came<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

async function until<Value>(look: () => Promise<Value | undefined | null | false>): Promise<Value> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`never found: ${look}`);
}

function withToken(token: string): Middleware {
  return {
    onRequest({ request }) {
      request.headers.set('authorization', `Bearer ${token}`);
      return request;
    },
  };
}
