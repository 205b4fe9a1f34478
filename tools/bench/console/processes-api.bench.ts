// What a call of the API of processes costs beside the same call by Temporal's client, and a page of 200 open processes that
// says where each stands. `npm run bench -- processes-api --calls 100`.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { FLOWS_AUDIENCE } from '../../../contract/flows/scopes.ts';
import { inLanes } from '../in-lanes.ts';
import { median, percentile, printTable } from '../table.ts';
import { ROWS_ON_A_PAGE, startConsoleInstallation } from './console-installation.ts';

const { values } = parseArgs({ options: { calls: { type: 'string', default: '100' } } });
const CALLS = Number(values.calls);
const AT_ONCE = 8;
const PAGES = 30;

const { publicKey, privateKey } = await generateKeyPair('ES256');
const keys = [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256' }];
await using issuer = createServer((_request, response) => response.end(JSON.stringify({ keys })));
await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
const token = await new SignJWT({ scope: 'flows:read flows:start', tenant: 'demo' })
  .setProtectedHeader({ alg: 'ES256', kid: 'bench', typ: 'at+jwt' })
  .setIssuer(url)
  .setAudience(FLOWS_AUDIENCE)
  .setSubject('bench')
  .setExpirationTime('2h')
  .sign(privateKey);

await using installation = await startConsoleInstallation(ROWS_ON_A_PAGE, {
  ...{ API_ISSUER: url, API_JWKS_URL: `${url}/keys`, API_TENANT: 'demo' },
});
const { address, booked, flows } = installation;

async function asked<Body>(path: string, body?: object): Promise<Body> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(address + path, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Body;
}

/** One after the other for the median, some at once for the rate. */
async function measured(act: (index: number) => Promise<unknown>) {
  await act(-1);
  const times: number[] = [];
  for (let index = 0; index < CALLS; index++) {
    const before = performance.now();
    await act(index);
    times.push(performance.now() - before);
  }
  const before = performance.now();
  await inLanes(AT_ONCE, CALLS, (index) => act(CALLS + index));
  return { p50: median(times), perSecond: (CALLS * 1_000) / (performance.now() - before) };
}

const round = (value: number): number => Math.round(value * 10) / 10;

async function compared(
  call: string,
  overHttp: (index: number) => Promise<unknown>,
  byClient: typeof overHttp,
) {
  const client = await measured(byClient);
  const http = await measured(overHttp);
  return {
    call,
    'client p50 ms': round(client.p50),
    'HTTP p50 ms': round(http.p50),
    'p50 ratio': round(http.p50 / client.p50),
    'client calls/s': Math.round(client.perSecond),
    'HTTP calls/s': Math.round(http.perSecond),
    'calls/s ratio': round(http.perSecond / client.perSecond),
  };
}

interface Page {
  readonly items: readonly { readonly summary: unknown }[];
}
const pages: number[] = [];
const filled: number[] = [];
for (let index = 0; index <= PAGES; index++) {
  const before = performance.now();
  const { items } = await asked<Page>(`/v1/processes?size=${ROWS_ON_A_PAGE}`);
  pages.push(performance.now() - before);
  filled.push(items.filter(({ summary }) => summary !== null).length);
}
const [first = 0, ...later] = pages;
printTable([
  {
    [`page of ${ROWS_ON_A_PAGE} open processes`]: `${PAGES + 1} times`,
    'first ms': Math.round(first),
    'rows filled, first': filled[0] ?? 0,
    'later p50 ms': Math.round(median(later)),
    'later p95 ms': Math.round(percentile(later, 0.95)),
    'rows filled, last': filled.at(-1) ?? 0,
  },
]);

const key = (index: number): string => booked[(index + booked.length) % booked.length]?.[0] ?? '';
const request = {
  ...{ pupUid: 'bench-1', toUserUid: 'user-anna', dimension: { width: 10, height: 10, length: 10 } },
  ...{ allowLargerLockers: true, allowOverflowLockers: false },
};
printTable([
  await compared(
    'read one',
    (index) => asked(`/v1/processes/${key(index)}`),
    (index) => flows.handle(key(index)).progress(),
  ),
  await compared(
    'start',
    (index) => asked('/v1/processes', { flow: 'Issue', key: `http-${index}`, request }),
    (index) => flows.start('Issue', `client-${index}`, { request }),
  ),
]);
