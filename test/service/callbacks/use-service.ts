// The service and the receiver of its callbacks, for the tests of a file. Without a sender nothing is sent: tests about
// senders start their own.
import { beforeAll, beforeEach } from 'vitest';
import type { CallbackSenderOptions } from '../../../service/callbacks/delivery/callback-sender-options.ts';
import { startReceiver, type TestReceiver } from '../../support/receiver.ts';
import { type CallbackTest, createCallbackTest } from './support.ts';

export interface ServiceInUse {
  readonly service: () => CallbackTest;
  /** The receiver of the tenant's callbacks; each test has a new one. */
  readonly receiver: () => TestReceiver;
}

/** One service with one sender for the whole file. */
export function useServiceWithSender(options: Partial<CallbackSenderOptions> = {}): ServiceInUse {
  const service = whileItLives<CallbackTest>();
  beforeAll(async () => {
    const dispose = service.is(await createCallbackTest());
    service.get().sender(options);
    return dispose;
  });
  return { service: service.get, receiver: useReceiver(service.get) };
}

/** A service for each test, without a sender. */
export function useServiceForEachTest(): ServiceInUse {
  const service = whileItLives<CallbackTest>();
  beforeEach(async () => service.is(await createCallbackTest()));
  return { service: service.get, receiver: useReceiver(service.get) };
}

/** The receiver starts after the service and stops before it, so that no sender waits for answers that never come. */
function useReceiver(service: () => CallbackTest): () => TestReceiver {
  const receiver = whileItLives<TestReceiver>();
  beforeEach(async () => {
    const dispose = receiver.is(await startReceiver());
    await service().configure({ url: receiver.get().url, authType: 'None', extraFields: false });
    return dispose;
  });
  return receiver.get;
}

function whileItLives<Resource extends AsyncDisposable>() {
  let current: Resource | undefined;
  return {
    is: (resource: Resource) => {
      current = resource;
      return () => resource[Symbol.asyncDispose]();
    },
    get: (): Resource => {
      if (!current) throw new TypeError('it starts before the first test, not before');
      return current;
    },
  };
}
