// Programs that call the API all the time, as docs/operate.md asks of them under "Upgrading with flows running": what fails in
// a way that an upgrade may cause is sent again with the same Idempotency-Key. Any other failure is wrong. They are of a tenant
// without a callback address: no flow waits for what they book, so each callback would be parked, a process of its own.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { type OperationName, operationRow } from '../../contract/index.ts';
import type { Database } from '../../service/storage/database.ts';
import { accessToken } from '../support/caller.ts';
import { addPickUpPoint } from '../support/new-pick-up-point.ts';

type Body = Readonly<Record<string, unknown>>;

// The balancer found no instance, the instance went away in the middle, or had no connection to the database.
const SENT_AGAIN = new Set<unknown>([502, 503, 504, 'the connection broke']);
const AGAIN_MS = 200;
/** Between two requests: it is the instances that change that are to be tried, not how much they bear. */
const PAUSE_MS = 100;
const TENANT = 'other';
/** What a program sends at most for one request: far more than an instance that changes can cost. */
const MOST_SENT = 100;

export class Programs {
  readonly #address: string;
  readonly #token: string;
  /** How often each way to fail was met, and sent again. */
  readonly again: Record<string, number> = {};
  readonly wrong: string[] = [];
  /** The case numbers of what was booked. */
  readonly booked: string[] = [];
  requests = 0;
  #isOver = false;

  private constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  static async at(address: string): Promise<Programs> {
    return new Programs(address, await accessToken(address, TENANT));
  }

  end(): void {
    this.#isOver = true;
  }

  /** Each with a locker of its own: a booking that is lost or doubled leaves none for the next. */
  async run(database: Kysely<Database>, count: number): Promise<void> {
    const pickUpPoints = Array.from({ length: count }, (_, index) => `pup-program-${index + 1}`);
    for (const pupUid of pickUpPoints) await addPickUpPoint(database, TENANT, pupUid, { M: 1 });
    const running = pickUpPoints.map((pupUid) => this.#bookLookAndCancel(pupUid));
    await Promise.all(running.map((each) => each.catch((error) => this.wrong.push(String(error)))));
  }

  async #bookLookAndCancel(pupUid: string): Promise<void> {
    while (!this.#isOver) {
      const referenceCaseNo = `program-${randomUUID()}`;
      const { shipmentUid } = await this.#ask('CreateLocalShipment', {
        ...{ pupUid, referenceCaseNo, fromUserUid: 'user-anna', toUserUid: 'user-bram' },
        ...{ allowLargerLockers: true, allowOverflowLockers: false },
        dimension: { width: 10, height: 10, length: 10 },
      });
      this.booked.push(referenceCaseNo);
      const { totalItems } = await this.#ask('GetShipments', { pageNo: 1, pageSize: 5, shipmentUid });
      if (totalItems !== 1) this.wrong.push(`${referenceCaseNo} is listed ${String(totalItems)} times`);
      await this.#ask('CancelShipment', { shipmentUid });
    }
  }

  async #ask(name: OperationName, body: Body): Promise<Body> {
    const key = randomUUID();
    await delay(PAUSE_MS);
    for (let sent = 1; ; sent += 1) {
      const { outcome, answer } = await this.#send(name, body, key);
      this.requests += 1;
      if (outcome === 200 && answer.success === true) return answer;
      if (!SENT_AGAIN.has(outcome) || sent === MOST_SENT)
        throw new Error(`${name} failed with ${outcome}, sent ${sent} times: ${JSON.stringify(answer)}`);
      this.again[outcome] = (this.again[outcome] ?? 0) + 1;
      await delay(AGAIN_MS);
    }
  }

  async #send(
    name: OperationName,
    body: Body,
    key: string,
  ): Promise<{ outcome: string | number; answer: Body }> {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${this.#token}`,
      'idempotency-key': key,
    };
    try {
      const url = this.#address + operationRow(name).path;
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers });
      const text = await response.text();
      return { outcome: response.status, answer: response.ok ? (JSON.parse(text) as Body) : { text } };
    } catch (error) {
      // fetch says so and no more where an answer never came.
      if (error instanceof TypeError) return { outcome: 'the connection broke', answer: {} };
      throw error;
    }
  }
}
