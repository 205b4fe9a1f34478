// The stream of a page: server-sent events of the topics that it looks at.

import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { inPlainWords } from '../../contract/wire/issue-words.ts';
import { ConsoleRefusal } from '../refusal.ts';
import { accessOf } from '../sign-in/user.ts';
import type { Live } from './live.ts';

// A page that has gone without a word is found out, no proxy cuts the stream, and the page knows that it is not cut off.
const ALIVE_MS = 5_000;
/** Of a page that does not read, so much waits at most; then its stream ends, and the page connects again. */
const MOST_WAITING_BYTES = 4_000_000;
const MOST_TOPICS = 20;
const LONGEST_TOPIC = 4_000;
// A session that has ended must not go on looking.
const STREAM_LASTS_MS = 600_000;

const query = z.object({
  topic: z
    .union([z.string().max(LONGEST_TOPIC), z.array(z.string().max(LONGEST_TOPIC)).max(MOST_TOPICS)])
    .default([])
    .transform((given) => [given].flat()),
});

export const liveRoutes =
  (live: Live): FastifyPluginAsync =>
  async (app) => {
    // An EventSource does not tell why it was refused: the page asks here.
    app.get('/api/live/may', accessOf('look'), async () => ({}));
    app.get('/api/live', { ...accessOf('look'), exposeHeadRoute: false }, (request, reply) => {
      const { topic: topics } = query.parse(request.query, inPlainWords);
      const unknown = topics.find((topic) => !live.knows(topic));
      if (unknown !== undefined)
        throw new ConsoleRefusal(404, 'NoSuchTopic', `There is no topic ${unknown}. Load the page again.`);
      reply.hijack();
      const { raw } = reply;
      const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream' };
      raw.writeHead(200, headers as Record<string, string>);
      const write = (text: string) => {
        raw.write(text);
        if (raw.writableLength > MOST_WAITING_BYTES) raw.destroy();
      };
      write('event: alive\ndata: {}\n\n');
      const ends = [...new Set(topics)].map((topic) =>
        live.watch(topic, ({ text }) => write(`data: ${text}\n\n`)),
      );
      const alive = setInterval(() => write('event: alive\ndata: {}\n\n'), ALIVE_MS);
      const over = setTimeout(() => raw.end(), STREAM_LASTS_MS);
      raw.once('close', () => {
        clearInterval(alive);
        clearTimeout(over);
        for (const end of ends) end();
      });
    });
  };
