// A file that a server has in its memory, whole and gzipped, made once: all answers with it are the same bytes, however many are
// open.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface StaticFile {
  readonly type: string;
  readonly whole: Buffer;
  readonly gzipped: Buffer;
}

export async function staticFile(type: string, content: string | Buffer): Promise<StaticFile> {
  const whole = Buffer.from(content);
  return { type, whole, gzipped: await promisify(gzip)(whole, { level: 9 }) };
}

export function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, whole, gzipped }: StaticFile,
): FastifyReply {
  reply.type(type).header('vary', 'accept-encoding');
  const takesGzip = /\bgzip\b/.test(headers['accept-encoding'] ?? '');
  return takesGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(whole);
}
