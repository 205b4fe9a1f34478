// What the service does with its outbox: the oldest callback of each shipment is sent until it is answered with 2xx, then the
// next. And the receiver, the real one, as a program that can be killed.
import { createHmac } from 'node:crypto';
import type { Client } from '@temporalio/client';
import {
  type ReceiveCallback,
  type Received,
  receiveCallback,
} from '../../../client/receiver/receive-callback.ts';
import { TASK_QUEUE } from '../../../contract/flows/flow-types.ts';
import { callbackHeaders } from '../../../contract/wire/callback.ts';
import type { Program } from '../kernel/simulator.ts';
import type { Callback, StoredShipment } from '../locker-service/service.ts';
import type { Installation } from './installation.ts';

const KEY = 'a key of the callbacks';
const TIMEOUT_MS = 10_000;
const LONGEST_PAUSE_MS = 300_000;

export class CallbackSender {
  readonly #simulation: Installation;
  readonly #onReceived: (received: Received) => void;
  readonly #sending = new Set<string>();
  #program: Program | null = null;
  #receive: ReceiveCallback | null = null;
  #starts = 0;

  constructor(simulation: Installation, onReceived: (received: Received) => void) {
    this.#simulation = simulation;
    this.#onReceived = onReceived;
    this.startReceiver();
  }

  get isReceiverUp(): boolean {
    return this.#program?.isAlive === true;
  }

  startReceiver(): void {
    const { configuration } = this.#simulation;
    this.#starts += 1;
    const program = { name: `receiver-${this.#starts}`, isAlive: true };
    const client: Client = this.#simulation.clientOf(program);
    this.#program = program;
    this.#receive = receiveCallback(client, {
      authenticity: {
        ...{ authType: 'HMAC', keys: [KEY], hmacHeader: callbackHeaders.hmac, hmacAlgorithm: 'sha256' },
        ...{ hmacEncoding: 'base64', strict: false, toleranceSeconds: 300 },
      },
      routing: {
        ...{ byCase: true, lookAgainForMs: 2_500, questionsPerSecond: 10 },
        looksAhead: configuration.looksAhead,
      },
      parking: { taskQueue: TASK_QUEUE, parkFor: 'P30D' },
      peer: configuration.peer,
      onReceived: (received) => this.#answered(received),
    });
  }

  killReceiver(): void {
    if (this.#program) this.#program.isAlive = false;
  }

  /** A callback is due. */
  send(shipment: StoredShipment): void {
    if (this.#sending.has(shipment.shipmentUid) || shipment.outbox.length === 0) return;
    this.#sending.add(shipment.shipmentUid);
    this.#try(shipment, 1);
  }

  /** What anybody may send to the receiver's address; nobody waits for the answer. */
  inject(callback: Callback, key: string | null): void {
    this.#post(callback, key, () => undefined);
  }

  injectForeign(shipmentUid: string): void {
    const message = {
      ...{ shipmentUid, stateCode: 'ReadyForPickup', stateStart: '2031-01-01T00:00:00.000' },
      ...{ shipmentType: 'LocalPupShipment', referenceNo: null, referenceCaseNo: null, description: null },
    };
    const body = JSON.stringify({ messageType: 'ShipmentStatusUpdate', message });
    this.inject({ shipmentUid, stateCode: 'ReadyForPickup', body }, KEY);
  }

  #try(shipment: StoredShipment, attempt: number): void {
    const { simulator, faults } = this.#simulation;
    const [callback] = shipment.outbox;
    if (!callback) {
      this.#sending.delete(shipment.shipmentUid);
      return;
    }
    let isOver = false;
    const over = (status: number | null): void => {
      if (isOver) return;
      isOver = true;
      simulator.drop(late);
      if (status !== null && status >= 200 && status < 300) {
        shipment.outbox.shift();
        this.#try(shipment, 1);
        return;
      }
      const pause = Math.min(LONGEST_PAUSE_MS, 500 * 2 ** Math.min(attempt, 20));
      simulator.in(pause, `callback of ${shipment.shipmentUid} again`, () =>
        this.#try(shipment, attempt + 1),
      );
    };
    const late = simulator.in(TIMEOUT_MS, 'callback without an answer', () => over(null));
    if (this.#simulation.isServiceDown()) return;
    if (!faults.happens('callbackLost')) this.#post(callback, KEY, over);
    if (faults.happens('callbackDoubled')) {
      const { comesAfterMs } = this.#simulation.configuration;
      // Before, or after, people have brought the shipment into its next state.
      const after = this.#simulation.random.spread(1, this.#simulation.random.pick(comesAfterMs));
      simulator.in(after, `callback of ${shipment.shipmentUid} doubled`, () => this.inject(callback, KEY));
    }
  }

  #post({ shipmentUid, body }: Callback, key: string | null, over: (status: number | null) => void): void {
    const { simulator, faults, random } = this.#simulation;
    const travel = () => random.spread(1, faults.networkMs);
    simulator.in(travel(), `callback of ${shipmentUid} at the receiver`, () => {
      const [program, receive] = [this.#program, this.#receive];
      if (!program?.isAlive || !receive) return void simulator.in(travel(), 'no receiver', () => over(null));
      const headers = {
        ...(key !== null && {
          [callbackHeaders.hmac]: createHmac('sha256', key).update(shipmentUid).digest('base64'),
        }),
      };
      simulator.within(program, () =>
        receive(headers, Buffer.from(body)).then(({ status }) => {
          if (!program.isAlive || faults.happens('callbackAnswerLost')) return;
          simulator.in(travel(), `answer ${status} of the receiver`, () => over(status));
        }),
      );
    });
  }

  #answered(received: Received): void {
    const { simulator } = this.#simulation;
    const { status, became, shipmentUid, workflowIds } = received;
    simulator.note(`receiver: ${shipmentUid} ${became} ${workflowIds.join(', ')} (${status})`);
    try {
      this.#onReceived(received);
    } catch (violation) {
      // Here it would be a failure of the receiver, to which it would answer.
      simulator.fail(violation);
    }
  }
}
