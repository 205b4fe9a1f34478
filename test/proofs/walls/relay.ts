// A line between a wall and the service that a test can cut, slow down, and lead to another instance.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export class Relay implements AsyncDisposable {
  /** Of the instance that new connections come to. */
  port = 0;
  /** What each piece of data waits, either way. */
  delayMs = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((near) => {
    const far = connect({ port: this.port, host: '127.0.0.1' });
    for (const [from, to] of [[near, far] as const, [far, near] as const]) this.#carry(from, to);
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What is on its way is lost. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #carry(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    let before: Promise<unknown> = Promise.resolve();
    from.on('data', (data) => {
      const arrived = delay(this.delayMs);
      // In order, however the delay changes meanwhile.
      before = before.then(() => arrived).then(() => to.writable && to.write(data));
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
