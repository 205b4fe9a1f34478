// The network between workers and the service: requests and answers take their time, are lost or cut, and the service fails
// before or after it has carried a request out. It takes the place of the HTTP client's connections.
import type { Dispatcher } from 'undici';
import { TOKEN_PATH } from '../../../contract/wire/token.ts';
import type { Program } from '../kernel/simulator.ts';
import type { Installation } from '../world/installation.ts';

export const SERVICE_URL = 'http://service.test';

interface Request {
  readonly path: string;
  readonly headers?: unknown;
  readonly body?: unknown;
}

interface Handler {
  onRequestStart?(controller: { abort(reason: Error): void }, context: unknown): void;
  onResponseStart?(controller: object, status: number, headers: object, statusMessage: string): void;
  onResponseData?(controller: object, chunk: Buffer): void;
  onResponseEnd?(controller: object, trailers: object): void;
  onResponseError?(controller: object, error: Error): void;
}

class ConnectionLost extends Error {
  readonly code = 'ECONNRESET';
}

/** The connections of one program. */
export function simulatedNetwork(simulation: Installation, program: Program): Dispatcher {
  const { simulator, faults } = simulation;
  const random = simulator.random.stream('network');
  const later = (what: string, run: () => void, to: Program | null = program) =>
    simulator.in(random.spread(1, faults.networkMs), what, run, to);

  function dispatch(request: Request, handler: Handler): boolean {
    let isAborted = false;
    const controller = {
      abort: () => {
        isAborted = true;
      },
    };
    const lose = () =>
      later('lost', () => {
        if (!isAborted) handler.onResponseError?.(controller, new ConnectionLost('connection lost'));
      });
    const answer = (status: number, body: string) =>
      later('answer of the service', () => {
        if (isAborted) return;
        handler.onResponseStart?.(controller, status, { 'content-type': 'application/json' }, '');
        handler.onResponseData?.(controller, Buffer.from(body));
        handler.onResponseEnd?.(controller, {});
      });
    later('connected', () => {
      if (simulation.isServiceDown()) {
        handler.onResponseError?.(controller, new ConnectionLost('connect ECONNREFUSED'));
        return;
      }
      handler.onRequestStart?.(controller, undefined);
      if (isAborted) return;
      if (request.path === TOKEN_PATH)
        return void answer(
          200,
          JSON.stringify({ access_token: 'token', token_type: 'Bearer', expires_in: 3_600 }),
        );
      const isRead = request.path.includes('/Get');
      if (faults.happens('requestLost')) return void lose();
      // A slow one may still be carried out when its caller has given up, up to 15 s later (assumption: usualPace).
      const slow = faults.happens('requestSlow') ? random.spread(1_000, isRead ? 5_000 : 24_000) : 0;
      simulator.in(slow + random.spread(1, faults.networkMs), 'request at the service', () => {
        if (simulation.isServiceDown()) return void lose();
        if (faults.happens('failsBefore')) return void answer(500, '');
        const { status, body } = simulation.service.handle(
          request.path,
          headersOf(request.headers),
          String(request.body ?? ''),
        );
        if (!isRead && faults.happens('failsAfter')) return void answer(503, '');
        if (faults.happens('answerLost')) return void lose();
        answer(status, body);
      });
    });
    return true;
  }
  return { dispatch, close: () => Promise.resolve() } as unknown as Dispatcher;
}

function headersOf(given: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries((given ?? {}) as Record<string, string>).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
}
