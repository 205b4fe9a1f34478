// The way from the workers to the locker service, on which one booking is lost when that is wanted: everything else goes
// through as it is.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { LOOPBACK } from '../../local/ports.ts';

/** before: the request never reaches the service; after: the service has booked, and nobody hears it. */
export type Loss = 'before' | 'after';

export interface LossyWay extends AsyncDisposable {
  readonly address: string;
  /** Once, of the next booking whose body has this text in it. */
  lose(text: string, loss: Loss): void;
}

export async function lossyWay(service: string): Promise<LossyWay> {
  const losses = new Map<string, Loss>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const [text, loss] = lossOf(losses, request.url ?? '', body.toString());
    if (text !== undefined) losses.delete(text);
    if (loss !== 'before') await passOn(service, request, body, loss === 'after' ? undefined : response);
    if (loss) response.socket?.resetAndDestroy();
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://${LOOPBACK}:${port}`,
    lose: (text, loss) => void losses.set(text, loss),
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function lossOf(losses: ReadonlyMap<string, Loss>, url: string, body: string) {
  if (!url.includes('/Create')) return [];
  return [...losses].find(([text]) => body.includes(text)) ?? [];
}

/** @param response of whom the answer is for; undefined: it is lost */
async function passOn(
  service: string,
  { method = 'POST', url, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse | undefined,
): Promise<void> {
  const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...given } = headers;
  const answer = await fetch(`${service}${url}`, {
    method,
    headers: given as Record<string, string>,
    ...(body.length > 0 && { body }),
  }).catch(() => undefined);
  const text = await answer?.text();
  if (!response) return;
  if (!answer) return void response.socket?.resetAndDestroy();
  const type = answer.headers.get('content-type');
  response.writeHead(answer.status, type === null ? {} : { 'content-type': type }).end(text);
}
