// The stream of a page: server-sent events of the topics that it looks at. It ends with the session: each event is sent only
// if the person may still look.

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { inPlainWords } from '../../contract/wire/issue-words.ts';
import { ConsoleRefusal } from '../refusal.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import { accessOf, type ConsoleRole, requireRole } from '../sign-in/user.ts';
import type { Live } from './live.ts';

// A page that has gone without a word is found out, no proxy cuts the stream, and the page knows that it is not cut off.
const ALIVE_MS = 5_000;
/** At most so much waits for a page that does not read; then its stream ends, and the page connects again. */
const MOST_WAITING_BYTES = 4_000_000;
const MOST_TOPICS = 20;
const LONGEST_TOPIC = 4_000;
// A session may end while its stream is silent.
const SESSION_CHECK_MS = 1_000;
// A proxy that signs people in does not tell when it signs them out: the page comes through it again.
const STREAM_LASTS_MS = 600_000;

const query = z.object({
  topic: z
    .union([z.string().max(LONGEST_TOPIC), z.array(z.string().max(LONGEST_TOPIC)).max(MOST_TOPICS)])
    .default([])
    .transform((given) => [given].flat()),
});

export const liveRoutes =
  (live: Live, signIn: SignIn): FastifyPluginAsync =>
  async (app) => {
    // An EventSource does not tell why it was refused: the page asks here.
    app.get('/api/live/may', accessOf('look'), async () => ({}));
    // A stream has no end: its head alone would never come.
    app.get('/api/live', { ...accessOf('look'), exposeHeadRoute: false }, (request, reply) => {
      const topics = [...new Set(query.parse(request.query, inPlainWords).topic)];
      const roles = new Set(topics.map((topic) => roleOf(live, topic)));
      for (const role of roles) requireRole(request.user, role);
      reply.hijack();
      const { raw } = reply;
      const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream' };
      raw.writeHead(200, headers as Record<string, string>);
      const isAllowed = () => {
        const allowed = mayLook(signIn, request, roles);
        if (!allowed) raw.end();
        return allowed;
      };
      const write = (text: string) => {
        if (raw.writableEnded || !isAllowed()) return;
        raw.write(text);
        if (raw.writableLength > MOST_WAITING_BYTES) raw.destroy();
      };
      write('event: alive\ndata: {}\n\n');
      const ends = topics.map((topic) => live.watch(topic, ({ text }) => write(`data: ${text}\n\n`)));
      const alive = setInterval(() => write('event: alive\ndata: {}\n\n'), ALIVE_MS);
      const check = setInterval(isAllowed, SESSION_CHECK_MS);
      const over = setTimeout(() => raw.end(), STREAM_LASTS_MS);
      raw.once('close', () => {
        clearInterval(alive);
        clearInterval(check);
        clearTimeout(over);
        for (const end of ends) end();
      });
    });
  };

function roleOf(live: Live, topic: string): ConsoleRole {
  const role = live.roleOf(topic);
  if (role) return role;
  throw new ConsoleRefusal(404, 'NoSuchTopic', `There is no topic ${topic}. Load the page again.`);
}

/** Whether the session goes on, and its person still has the roles. Never throws: it is called by timers. */
function mayLook(signIn: SignIn, request: FastifyRequest, roles: ReadonlySet<ConsoleRole>): boolean {
  try {
    const user = signIn.userOf(request);
    for (const role of ['look', ...roles] as const) requireRole(user, role);
    return true;
  } catch (error) {
    if (!(error instanceof ConsoleRefusal))
      request.log.error({ err: error }, 'a stream ends: whether its person may still look cannot be read');
    return false;
  }
}
