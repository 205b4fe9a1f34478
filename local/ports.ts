// Ports on 127.0.0.1: which are free, and whether something listens.
import { connect, createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/** A port that was free a moment ago. Another process may take it meanwhile: try again with another one then. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject).listen(0, LOOPBACK, resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new TypeError('expected an address with a port');
  return address.port;
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
