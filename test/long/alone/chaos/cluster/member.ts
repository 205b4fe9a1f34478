// A component of the cluster that is killed. What keeps the cluster up starts it again, once its time away is over.
import { setTimeout as delay } from 'node:timers/promises';
import type { Component, RunningComponent } from '../../../../../local/components/component.ts';
import { type Killable, UP_WITHIN_MS } from '../supervised-process.ts';

export class Member implements Killable {
  /** The component as the cluster has it, with its runs watched. */
  readonly component: Component;
  readonly #worst: () => Promise<void>;
  readonly #endedByItself: string[] = [];
  #running = Promise.withResolvers<RunningComponent>();
  #away: Promise<void> = Promise.resolve();
  /** Its kills, one after another. */
  #doing: Promise<unknown> = Promise.resolve();

  /** @param worst resolves in the moment in which its death would do the most harm */
  constructor(component: Component, worst: () => Promise<void>) {
    this.#worst = worst;
    this.component = {
      ...component,
      start: async (say) => {
        await this.#away;
        return this.#watch(await component.start(say));
      },
    };
  }

  get endedByItself(): readonly string[] {
    return this.#endedByItself;
  }

  async up(): Promise<void> {
    await this.#doing;
    await this.#isUp();
  }

  kill(away: () => Promise<void>): Promise<void> {
    const killing = async () => {
      await this.#worst();
      const running = await this.#running.promise;
      this.#running = Promise.withResolvers();
      this.#away = away();
      await running.kill();
      await this.#isUp();
    };
    const done = this.#doing.then(killing);
    this.#doing = done.catch(() => undefined);
    return done;
  }

  async #isUp(): Promise<void> {
    const isUp = await Promise.race([
      this.#running.promise.then(() => true),
      delay(UP_WITHIN_MS, false, { ref: false }),
    ]);
    if (!isUp) throw new Error(`${this.component.name} is not up within ${UP_WITHIN_MS / 1_000} s`);
  }

  #watch(running: RunningComponent): RunningComponent {
    const run = this.#running;
    run.resolve(running);
    void running.ended.then((words) => {
      // Killed: then the next run is awaited already.
      if (this.#running !== run) return;
      this.#running = Promise.withResolvers();
      this.#endedByItself.push(words);
    });
    // What ends because all stops has not ended by itself.
    const stop = async () => {
      this.#running = Promise.withResolvers();
      await running.stop();
    };
    return { ...running, stop };
  }
}
