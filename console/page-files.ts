// The built page: its files in memory, whole and gzipped. Each address below / that is not a file is the page itself, so that
// every view has its link.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accessOf } from './access/user.ts';
import { ConsoleRefusal } from './refusal.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface PageFile {
  readonly type: string;
  readonly whole: Buffer;
  readonly gzipped: Buffer;
}

/** Throws an Error where the page is not built. */
export function addPageFiles(app: FastifyInstance, folder: string): void {
  const files = filesIn(folder);
  const index = files.get('/index.html');
  if (!index) throw new Error(`${folder} has no page; npm run setup builds it`);
  app.get<{ Params: { '*': string } }>('/*', accessOf('open'), async (request, reply) => {
    const path = `/${request.params['*']}`;
    const file = files.get(path);
    // Its name changes with its content.
    if (file && path.startsWith('/assets/')) reply.header('cache-control', 'max-age=31536000, immutable');
    if (file) return send(request, reply, file);
    if (path.startsWith('/assets/') || path.startsWith('/health/')) throw nothingAt(path);
    return send(request, reply, index);
  });
}

export const nothingAt = (path: string): ConsoleRefusal =>
  new ConsoleRefusal(404, 'NotFound', `There is nothing at ${path}. Load the page again.`);

function filesIn(folder: string): ReadonlyMap<string, PageFile> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    names.flatMap((name) => {
      const type = types[extname(name)];
      if (type === undefined) return [];
      const whole = readFileSync(join(folder, name));
      return [[`/${name.replaceAll('\\', '/')}`, { type, whole, gzipped: gzipSync(whole, { level: 9 }) }]];
    }),
  );
}

function send({ headers }: FastifyRequest, reply: FastifyReply, { type, whole, gzipped }: PageFile) {
  reply.type(type).header('vary', 'accept-encoding');
  const takesGzip = /\bgzip\b/.test(headers['accept-encoding'] ?? '');
  return takesGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(whole);
}
