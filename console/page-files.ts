// The built page: its files. Each address below / that is not a file is the page itself, so that
// every view has its link.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type StaticFile, sendFile, staticFile } from '../shared/http/static-file.ts';
import { accessOf } from './access/user.ts';
import { ConsoleRefusal } from './refusal.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Throws an Error where the page is not built. */
export async function addPageFiles(app: FastifyInstance, folder: string): Promise<void> {
  const files = await filesIn(folder);
  const index = files.get('/index.html');
  if (!index) throw new Error(`${folder} has no page; npm run setup builds it`);
  app.get<{ Params: { '*': string } }>('/*', accessOf('open'), async (request, reply) => {
    const path = `/${request.params['*']}`;
    const file = files.get(path);
    // Its name changes with its content.
    if (file && path.startsWith('/assets/')) reply.header('cache-control', 'max-age=31536000, immutable');
    if (file) return sendFile(request, reply, file);
    if (path.startsWith('/assets/') || path.startsWith('/health/')) throw nothingAt(path);
    return sendFile(request, reply, index);
  });
}

export const nothingAt = (path: string): ConsoleRefusal =>
  new ConsoleRefusal(404, 'NotFound', `There is nothing at ${path}. Load the page again.`);

async function filesIn(folder: string): Promise<ReadonlyMap<string, StaticFile>> {
  const files = new Map<string, StaticFile>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = types[extname(name)];
    if (type !== undefined)
      files.set(`/${name.replaceAll('\\', '/')}`, await staticFile(type, readFileSync(join(folder, name))));
  }
  return files;
}
