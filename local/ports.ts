// Ports on 127.0.0.1: which are free, and whether something listens.
import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

// Systems choose free ports from 32768 (Linux) or 49152 on: no program gets a lower one by chance.
const LOWEST = 10_000;
const ABOVE_HIGHEST = 32_768;

/** A port that was free a moment ago. Another process may take it meanwhile: try again with another one then. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, ABOVE_HIGHEST);
    if (await isFree(port)) return port;
  }
}

/** So many free ports, no two of them alike. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) found.add(await freePort());
  return [...found];
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.on('listening', () => server.close(() => resolve(true)));
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen(port, LOOPBACK);
  });
}

export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, LOOPBACK);
  return new Promise((resolve) => {
    const answer = (listening: boolean) => {
      socket.destroy();
      resolve(listening);
    };
    socket.on('connect', () => answer(true)).on('error', () => answer(false));
  });
}
