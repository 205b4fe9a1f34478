// The stream of one wall to one page (server-sent events): the wall as it is, and again after each change. Changes that
// come together are sent once.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Wall } from '../lockers/wall.ts';

// A page that has gone without a word is found out, and no proxy cuts the stream.
const ALIVE_MS = 15_000;
/** At most so much waits for a page that does not read; then its stream ends, and the page connects again. */
const MOST_WAITING_BYTES = 1_000_000;

export function streamWall(wall: Wall, request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { ...reply.getHeaders(), 'content-type': 'text/event-stream' } as Record<
    string,
    string
  >);
  const write = (text: string) => {
    raw.write(text);
    if (raw.writableLength > MOST_WAITING_BYTES) raw.destroy();
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
