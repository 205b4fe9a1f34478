// The pages of the simulated walls over HTTP: the kiosk of each, its doors for the person who tries things out, and what
// the two can do. It speaks with the walls of this program alone, never with the service.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { z } from 'zod';
import { bodyOverLimit, isBodyOverLimit } from '../../contract/wire/body-limit.ts';
import { uid } from '../../contract/wire/fields.ts';
import { formatIssues, plainMessages } from '../../contract/wire/format-issue.ts';
import { boundConnections, CUT_MESSAGE } from '../../shared/http/bound-connections.ts';
import { calledName, LOOPBACK_NAMES, PAGE_HEADERS } from '../../shared/http/own-page.ts';
import { sendFile, staticFile } from '../../shared/http/static-file.ts';
import { listening } from '../../shared/terminal/listening.ts';
import type { Wall } from './lockers/wall.ts';
import { doorFault } from './lockers/wall-state.ts';

// The longest is a code or a locker's uid.
const BODY_LIMIT_BYTES = 4_096;
// Fastify's own is none: anybody could keep connections for ever with bodies that do not come.
const REQUEST_TIMEOUT_MS = 30_000;
const LONGEST_CODE = 32;

interface Pages {
  /** Gives the address that it listens on, like http://127.0.0.1:8089. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

interface PagesOptions {
  readonly host: string;
  readonly port: number;
  readonly hosts: readonly string[];
  readonly log: FastifyBaseLogger;
}

const ofLocker = z.object({ lockerUid: uid });

/** By the last part of its address: what a person does at a wall. */
const actions = {
  code: action(z.object({ code: z.string().min(1).max(LONGEST_CODE) }), (wall, { code }) =>
    wall.typeCode(code),
  ),
  close: action(ofLocker, (wall, { lockerUid }) => wall.close(lockerUid)),
  item: action(ofLocker.extend({ present: z.boolean() }), (wall, { lockerUid, present }) =>
    wall.moveItem(lockerUid, present),
  ),
  key: action(ofLocker, (wall, { lockerUid }) => wall.openWithKey(lockerUid)),
  fault: action(ofLocker.extend({ fault: doorFault }), (wall, { lockerUid, fault }) =>
    wall.setFault(lockerUid, fault),
  ),
  cable: action(z.object({ pluggedIn: z.boolean() }), (wall, { pluggedIn }) => wall.plugIn(pluggedIn)),
};

export async function createPages(walls: ReadonlyMap<string, Wall>, options: PagesOptions): Promise<Pages> {
  const { hosts, log } = options;
  const app = fastify({
    loggerInstance: log,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    logController: new LogController({ disableRequestLogging: true }),
  });
  boundConnections(app.server, { onCut: (cut) => log.warn(cut, CUT_MESSAGE) });
  // A form of another site could send text without being asked about it first.
  app.removeContentTypeParser('text/plain');
  guardPages(app, hosts);
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const isOurs = error instanceof TypeError || error instanceof z.ZodError;
    const status = isOurs ? 400 : (error.statusCode ?? 500);
    if (status >= 500) log.error({ err: error }, 'a page could not be answered');
    return reply
      .code(status)
      .send({ message: status >= 500 ? 'The wall program failed; see its log' : messageOf(error) });
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ message: 'There is no such page, or no wall of that pick up point; see /' }),
  );
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (_request, reply) => {
    const lost = [...walls.values()].filter((wall) => wall.isPluggedIn && !wall.summary().isConnected);
    if (lost.length === 0) return { status: 'ready' };
    return reply.code(503).send({ status: 'not ready', notConnected: lost.map(({ pupUid }) => pupUid) });
  });
  app.get('/walls', async () => ({ walls: [...walls.values()].map((wall) => wall.summary()) }));
  await addPageFiles(app, (pupUid) => walls.has(pupUid));
  addActions(app, walls);
  return {
    listen: () => listening(options, 'WALL', (at) => app.listen(at)),
    close: () => app.close(),
  };
}

/**
 * Keeps other sites out: no request that another site's page, or another name for this address (DNS rebinding), makes the
 * browser send.
 * @param hosts the names, without a port, by which the pages may be called, beside those of this machine
 */
function guardPages(app: FastifyInstance, hosts: readonly string[]): void {
  const allowed = new Set([...LOOPBACK_NAMES, ...hosts.map((each) => each.toLowerCase())]);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(PAGE_HEADERS);
    const host = calledName(request.headers);
    if (!allowed.has(host))
      return reply.code(403).send({
        message: `The pages are not served as ${JSON.stringify(host)}; call them by ${[...allowed].join(', ')}, or name it in WALL_HOSTS`,
      });
    if (request.method !== 'GET' && request.method !== 'HEAD' && !isOfThisPage(request))
      return reply
        .code(403)
        .send({ message: 'Another site made this request; open the page of the wall itself' });
  });
}

/** A program that is not a browser sends neither header. */
function isOfThisPage({ headers }: FastifyRequest): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}

type OfWall = { Params: { pupUid: string } };

function addActions(app: FastifyInstance, walls: ReadonlyMap<string, Wall>): void {
  const wallOf = ({ params: { pupUid } }: FastifyRequest<OfWall>) => walls.get(pupUid);
  // A stream has no end: its head alone would never come.
  app.get<OfWall>('/walls/:pupUid/events', { exposeHeadRoute: false }, (request, reply) => {
    const wall = wallOf(request);
    if (!wall) return reply.callNotFound();
    streamWall(wall, request, reply);
  });
  for (const [name, act] of Object.entries(actions))
    app.post<OfWall>(`/walls/:pupUid/${name}`, async (request, reply) => {
      const wall = wallOf(request);
      if (!wall) return reply.callNotFound();
      return (await act(wall, request.body)) ?? {};
    });
}

function messageOf(error: Error): string {
  if (isBodyOverLimit(error)) return bodyOverLimit(BODY_LIMIT_BYTES);
  return error instanceof z.ZodError ? formatIssues(error, 'the body').join('; ') : error.message;
}

/** Reads the body before it acts. */
function action<Body>(body: z.ZodType<Body>, act: (wall: Wall, input: Body) => unknown) {
  return async (wall: Wall, input: unknown): Promise<unknown> =>
    await act(wall, body.parse(input, plainMessages));
}

/** Read once at the start. Only those of the list are served, each at one address. */
const folder = join(import.meta.dirname, 'kiosk');
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
const PAGE = 'text/html; charset=utf-8';

/** By address. */
const files: Readonly<Record<string, readonly [name: string, type: string]>> = {
  '/': ['walls.html', PAGE],
  '/walls/:pupUid': ['kiosk.html', PAGE],
  '/walls/:pupUid/doors': ['doors.html', PAGE],
  '/walls.mjs': ['walls.mjs', SCRIPT],
  '/kiosk.mjs': ['kiosk.mjs', SCRIPT],
  '/open-doors.mjs': ['open-doors.mjs', SCRIPT],
  '/doors.mjs': ['doors.mjs', SCRIPT],
  '/wall-program.mjs': ['wall-program.mjs', SCRIPT],
  '/kiosk.css': ['kiosk.css', STYLE],
  '/base.css': ['../../../shared/styles/base.css', STYLE],
  '/parts.css': ['../../../shared/styles/parts.css', STYLE],
  '/icon.svg': ['icon.svg', 'image/svg+xml'],
};

/** @param isWall whether there is a wall of that pick up point: the pages of another are not found */
async function addPageFiles(app: FastifyInstance, isWall: (pupUid: string) => boolean): Promise<void> {
  for (const [address, [name, type]] of Object.entries(files)) {
    const file = await staticFile(type, await readFile(join(folder, name)));
    app.get<{ Params: { pupUid?: string } }>(address, async (request, reply) => {
      const { pupUid } = request.params;
      if (pupUid !== undefined && !isWall(pupUid)) return reply.callNotFound();
      return sendFile(request, reply, file);
    });
  }
}

// A page that has gone without a word is found out, and no proxy cuts the stream.
const ALIVE_MS = 15_000;
/** At most so much waits for a page that does not read; then its stream ends, and the page connects again. */
const MAX_WAITING_BYTES = 1_000_000;

/**
 * Server-sent events: the wall as it is, and again after each change. Changes that come together are sent once.
 */
function streamWall(wall: Wall, request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { ...reply.getHeaders(), 'content-type': 'text/event-stream' } as Record<
    string,
    string
  >);
  const write = (text: string) => {
    raw.write(text);
    if (raw.writableLength > MAX_WAITING_BYTES) raw.destroy();
  };
  let isDue = false;
  const send = () => {
    isDue = false;
    write(`data: ${JSON.stringify(wall.view())}\n\n`);
  };
  const unwatch = wall.watch(() => {
    if (!isDue) setImmediate(send);
    isDue = true;
  });
  const alive = setInterval(() => write(': alive\n\n'), ALIVE_MS);
  request.raw.socket.once('close', () => {
    clearInterval(alive);
    unwatch();
  });
  send();
}
