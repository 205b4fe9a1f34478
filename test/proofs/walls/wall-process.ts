// One wall as a process that a test kills and starts again, behind a line of its own.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Child } from '../../../local/child-process.ts';
import type { Link } from '../../long/alone/chaos/link.ts';
import { nodeProgram } from '../../support/processes/node-program.ts';
import type { WallCredentials } from '../../support/walls/new-wall.ts';

const program = join(import.meta.dirname, 'wall-program.ts');
const ANSWERS_WITHIN_MS = 3_000;

export interface WallProcessOptions extends WallCredentials {
  readonly folder: string;
  /** To an instance of the service. */
  readonly way: Link;
}

export class WallProcess implements AsyncDisposable {
  readonly pupUid: string;
  readonly way: Link;
  readonly #options: WallProcessOptions;
  readonly #path: string;
  readonly #waiting = new Map<number, (outcome: string) => void>();
  #child: Child | undefined;
  #typed = 0;

  constructor(options: WallProcessOptions) {
    this.#options = options;
    this.pupUid = options.pupUid;
    this.way = options.way;
    this.#path = join(options.folder, `${options.pupUid}.json`);
  }

  start(): void {
    const env = {
      ...process.env,
      WALL_PATH: this.#path,
      WALL_PUP: this.pupUid,
      WALL_SERVICE: `http://127.0.0.1:${this.way.port}`,
      WALL_CLIENT: this.#options.clientId,
      WALL_SECRET: this.#options.clientSecret,
    };
    this.#child = nodeProgram([program], { env, hasChannel: true });
    this.#child.onMessage((message) => {
      const { number, outcome } = message as { number: number; outcome: string };
      this.#waiting.get(number)?.(outcome);
    });
  }

  async kill(): Promise<void> {
    await this.#child?.kill();
  }

  /** What the person at the kiosk is told; `nothing` if the wall died meanwhile. */
  async type(code: string): Promise<string> {
    this.#typed += 1;
    const number = this.#typed;
    const { promise, resolve } = Promise.withResolvers<string>();
    const timer = setTimeout(() => resolve('nothing'), ANSWERS_WITHIN_MS);
    this.#waiting.set(number, resolve);
    if (this.#child && !this.#child.hasEnded()) this.#child.send({ number, code });
    else resolve('nothing');
    const outcome = await promise;
    clearTimeout(timer);
    this.#waiting.delete(number);
    return outcome;
  }

  /** What its disk has: every opening, in order, and how many messages the service has not acknowledged. */
  async memory(): Promise<{ readonly openings: readonly string[]; readonly untaken: number }> {
    const { openings, messages } = JSON.parse(await readFile(this.#path, 'utf8'));
    return { openings, untaken: messages.length };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.way.close();
  }
}
