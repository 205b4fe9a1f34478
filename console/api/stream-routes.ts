// Streams of server-sent events: one process until its end, or whatever GET paths of the server a page has on its screen. A
// stream ends with the session or the token: each event is sent only if its caller may still read it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ShownProcess, ShownProcesses } from '../../processes/views/shown-process.ts';
import { requireAsker } from '../heavy/callers-in-turn.ts';
import type { Followed, Live } from '../live/live.ts';
import { ConsoleRefusal } from '../refusal.ts';
import { requireRole } from '../sign-in/user.ts';
import { ofProcess } from './fields.ts';
import { ConcurrencyLimit, limits } from './limits.ts';
import { shownTo } from './personal.ts';
import { type Caller, requireRight } from './rights.ts';
import { type ApiRoute, apiRoute } from './route.ts';

const MAX_PATHS = 20;
const LONGEST_PATH = 4_000;
// A reader that has gone without a word is found out, no proxy cuts the stream, and a page knows that it is not cut off.
const ALIVE_MS = 5_000;
/** At most so much waits for a reader that does not read; then its stream ends, and it connects again. */
const MAX_WAITING_BYTES = 4_000_000;
// A session may end while its stream is silent.
const CALLER_CHECK_MS = 1_000;

const path = z
  .string()
  .max(LONGEST_PATH)
  .regex(/^\/[!-~]*$/, 'must be a path of this server, like /v1/processes?phase=Overdue');

const query = z.strictObject({
  of: z
    .union([path, z.array(path).max(MAX_PATHS)])
    .default([])
    .transform((given) => [...new Set([given].flat())])
    .meta({
      type: 'array',
      items: { type: 'string' },
      maxItems: MAX_PATHS,
      description: 'The paths to follow, each as of a GET',
    }),
});

const LASTS = `A stream lasts ${limits.streamSeconds / 60} minutes, and never longer than the session or the token: connect again.`;

export function streamRoutes(live: Live, shown: Pick<ShownProcesses, 'read'>): ApiRoute[] {
  const limit = new ConcurrencyLimit('streams', limits.streams, limits.allStreams);
  const limitOfPeople = new ConcurrencyLimit('streams', limits.streamsOfPerson, limits.allStreamsOfPeople);
  return [
    apiRoute({
      name: 'follow',
      method: 'GET',
      path: '/v1/stream',
      right: 'readInbox',
      tag: 'Processes',
      query,
      summary: 'Follows lists, processes, flows and the inbox in one stream: server-sent events',
      description: `Those that can be followed say so. Each event has as its data \`of\`, the path as it was given, and either \`data\`, what a GET of that path answers, or \`problem\`, why it cannot be read now. The whole of it comes at once, and after each change; an event \`alive\` comes while nothing does. ${LASTS} At most ${MAX_PATHS} paths; at most ${limits.streams} streams of one program at a time, ${limits.streamsOfPerson} of one person. Each path needs its own right.`,
      answers: { 200: { description: 'Events', schema: z.string(), mediaType: 'text/event-stream' } },
      problems: [429],
      isStream: true,
      handle: async ({ query: { of: paths }, caller, request, reply }) => {
        const accesses = paths.map((each) => live.accessOf(each));
        const requireAll = (now: Caller) => {
          for (const access of accesses) requireAccess(access, now, request);
        };
        requireAll(caller);
        requireAsker();
        const end = (caller.isProgram ? limit : limitOfPeople).begin(caller);
        const { write, raw } = openStream({
          request,
          reply,
          requireAll,
          alive: 'event: alive\ndata: {}\n\n',
        });
        const ends = paths.map((each) => {
          const isOfPeople = live.isOfPeople(each);
          const asShown = (text: string) => (isOfPeople ? shownText(request.callerNow(), text) : text);
          return live.watch(each, ({ text }) => write(() => `data: ${asShown(text)}\n\n`));
        });
        raw.once('close', () => {
          for (const stop of [end, ...ends]) stop();
        });
      },
    }),
    followProcessRoute(live, shown, limit),
  ];
}

function followProcessRoute(
  live: Live,
  shown: Pick<ShownProcesses, 'read'>,
  limit: ConcurrencyLimit,
): ApiRoute {
  return apiRoute({
    name: 'followProcess',
    method: 'GET',
    path: '/v1/processes/{key}/stream',
    right: 'read',
    tag: 'Processes',
    summary: 'Follows a process: server-sent events',
    description: `Each event \`process\` has the whole process as its data, the first one at once, then one after each change. After the event \`ended\` nothing more comes. ${LASTS} At most ${limits.streams} streams of one caller.`,
    params: ofProcess,
    answers: { 200: { description: 'Events', schema: z.string(), mediaType: 'text/event-stream' } },
    problems: [404, 429],
    isStream: true,
    handle: async ({ params: { key }, caller, request, reply }) => {
      await shown.read(key);
      requireAsker();
      const end = limit.begin(caller);
      const requireAll = (now: Caller) => requireRight(now, 'read');
      const { write, raw } = openStream({ request, reply, requireAll, alive: ': alive\n\n' });
      const stop = live.watch(`/v1/processes/${encodeURIComponent(key)}`, ({ text }) => {
        const followed = JSON.parse(text) as Followed;
        // Temporal may be away for a moment: the next look tells.
        if ('problem' in followed) return;
        write(
          () => `event: process\ndata: ${JSON.stringify(shownTo(request.callerNow(), followed.data))}\n\n`,
        );
        if ((followed.data as ShownProcess).status === 'Running') return;
        write(() => 'event: ended\ndata: {}\n\n');
        raw.end();
      });
      raw.once('close', () => {
        end();
        stop();
      });
    },
  });
}

/** The data of an event of the stream. */
function shownText(caller: Caller, text: string): string {
  if (caller.may('decide')) return text;
  const followed = JSON.parse(text) as Followed;
  return 'data' in followed ? JSON.stringify({ ...followed, data: shownTo(caller, followed.data) }) : text;
}

/** Throws ConsoleRefusal. What is of the page alone has no right that a token could give. */
function requireAccess(access: ReturnType<Live['accessOf']>, caller: Caller, request: FastifyRequest): void {
  if ('right' in access) {
    requireRight(caller, access.right);
    return;
  }
  if (caller.isProgram)
    throw new ConsoleRefusal(403, 'ScopeMissing', 'Only people who are signed in follow this path.');
  requireRole(request.user, access.role);
}

interface Opened {
  readonly raw: FastifyReply['raw'];
  /** The text is made only for a caller who may still read it. */
  readonly write: (text: () => string) => void;
}

interface OpenedFor {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Throws ConsoleRefusal for a caller who may not read it, or not any more. */
  readonly requireAll: (caller: Caller) => void;
  /** What is sent while nothing changes: a page hears events alone, a program need not know of it. */
  readonly alive: string;
}

function openStream({ request, reply, requireAll, alive }: OpenedFor): Opened {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
  });
  const isAllowed = (): boolean => {
    try {
      requireAll(request.callerNow());
      return true;
    } catch (error) {
      if (!(error instanceof ConsoleRefusal))
        request.log.error({ err: error }, 'a stream ends: whether its caller may still read cannot be told');
      raw.end();
      return false;
    }
  };
  const write = (text: () => string) => {
    if (raw.writableEnded || !isAllowed()) return;
    raw.write(text());
    if (raw.writableLength > MAX_WAITING_BYTES) raw.destroy();
  };
  const sign = setInterval(() => write(() => alive), ALIVE_MS);
  const check = setInterval(isAllowed, CALLER_CHECK_MS);
  // A proxy that signs people in does not tell when it signs them out: the page comes through it again.
  const over = setTimeout(() => raw.end(), limits.streamSeconds * 1_000);
  raw.once('close', () => {
    for (const timer of [sign, check]) clearInterval(timer);
    clearTimeout(over);
  });
  write(() => alive);
  return { raw, write };
}
