// The files of the pages, read once at the start. Only those of the list are served, each at one address.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const folder = join(import.meta.dirname, '../kiosk');
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
  '/countdown.mjs': ['countdown.mjs', SCRIPT],
  '/open-doors.mjs': ['open-doors.mjs', SCRIPT],
  '/doors.mjs': ['doors.mjs', SCRIPT],
  '/wall-program.mjs': ['wall-program.mjs', SCRIPT],
  '/words.mjs': ['words.mjs', SCRIPT],
  '/kiosk.css': ['kiosk.css', STYLE],
  '/base.css': ['../../console/page/style/base.css', STYLE],
  '/parts.css': ['../../console/page/style/parts.css', STYLE],
  '/icon.svg': ['icon.svg', 'image/svg+xml'],
};

/** @param isWall whether there is a wall of that pick up point: the pages of another are not found */
export async function addPageFiles(app: FastifyInstance, isWall: (pupUid: string) => boolean): Promise<void> {
  for (const [address, [name, type]] of Object.entries(files)) {
    const content = await readFile(join(folder, name));
    app.get<{ Params: { pupUid?: string } }>(address, async ({ params: { pupUid } }, reply) => {
      if (pupUid !== undefined && !isWall(pupUid)) return reply.callNotFound();
      return reply.type(type).send(content);
    });
  }
}
