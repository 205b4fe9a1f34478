// A link through the network between two processes, over TCP: whatever passes goes through as it is, until a fault befalls
// it. The ends keep their addresses while what is behind them dies and comes back.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { LOOPBACK } from '../../../../local/ports.ts';
import type { Fault } from './plan.ts';

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

export class Link {
  /** The port of this machine to which new connections lead. */
  target: number;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #answersToLose = 0;
  #stalledUntil = 0;
  #delayed = { byMs: 0, until: 0 };

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.target = target;
  }

  /** To that port of this machine, from a free one. */
  static async to(port: number): Promise<Link> {
    const server = createServer({ noDelay: true });
    const link = new Link(server, port);
    server.on('connection', (near) => link.#take(near));
    server.listen(0, LOOPBACK);
    await once(server, 'listening');
    return link;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  befall(fault: Fault): void {
    switch (fault.kind) {
      case 'cut':
        for (const pair of this.#pairs) cut(pair);
        return;
      case 'loseAnswers':
        this.#answersToLose += fault.count;
        return;
      case 'stall':
        this.#stalledUntil = Math.max(this.#stalledUntil, performance.now() + fault.forMs);
        return;
      case 'delay':
        this.#delayed = { byMs: fault.byMs, until: performance.now() + fault.forMs };
    }
  }

  /** From now on nothing befalls it. */
  clear(): void {
    this.#answersToLose = 0;
    this.#stalledUntil = 0;
    this.#delayed = { byMs: 0, until: 0 };
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const pair of this.#pairs) cut(pair);
    await once(this.#server, 'close');
  }

  #take(near: Socket): void {
    const far = connect({ port: this.target, host: LOOPBACK, noDelay: true });
    const pair = { near, far };
    this.#pairs.add(pair);
    this.#pass(pair, near, far);
    this.#pass(pair, far, near);
  }

  /** In order, each piece as late as the link is by then. */
  #pass(pair: Pair, from: Socket, to: Socket): void {
    let before = Promise.resolve();
    from.on('data', (piece) => {
      if (from === pair.far && this.#answersToLose > 0) {
        this.#answersToLose -= 1;
        return cut(pair);
      }
      before = before
        .then(() => this.#lateness())
        .then(() => {
          to.write(piece);
        });
    });
    // An end that breaks breaks the other; 'close' follows, and tells it.
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#pairs.delete(pair);
      void before.then(() => to.destroySoon());
    });
  }

  async #lateness(): Promise<void> {
    const { byMs, until } = this.#delayed;
    if (performance.now() < until) await delay(byMs);
    while (performance.now() < this.#stalledUntil) await delay(20);
  }
}

function cut({ near, far }: Pair): void {
  near.resetAndDestroy();
  far.resetAndDestroy();
}
