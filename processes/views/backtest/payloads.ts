// Reads what a history holds, with the client's data converter: it may be encrypted.
import type { Client } from '@temporalio/client';
import type { Payload, ProtoFailure } from '@temporalio/common';
import { decoded } from '../../../client/started-with.ts';

interface Several {
  readonly payloads?: Payload[] | null;
}

export class Payloads {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Steps have one argument and one result. */
  first(all: Several | null | undefined): Promise<unknown> {
    return this.one(all?.payloads?.[0]);
  }

  one(payload: Payload | null | undefined): Promise<unknown> {
    return decoded(this.#client, payload);
  }

  /** With its details, by which a booking decides. */
  async error(failure: ProtoFailure | null | undefined): Promise<Error> {
    const { failureConverter, payloadConverter } = this.#client.options.loadedDataConverter;
    return failureConverter.failureToError((await this.#decoded(failure)) ?? {}, payloadConverter);
  }

  async #decoded(failure: ProtoFailure | null | undefined): Promise<ProtoFailure | undefined> {
    if (!failure) return undefined;
    const { applicationFailureInfo: application, timeoutFailureInfo: timeout } = failure;
    return {
      ...failure,
      cause: (await this.#decoded(failure.cause)) ?? null,
      ...(application && {
        applicationFailureInfo: { ...application, details: await this.#plain(application.details) },
      }),
      ...(timeout && {
        timeoutFailureInfo: {
          ...timeout,
          lastHeartbeatDetails: await this.#plain(timeout.lastHeartbeatDetails),
        },
      }),
    };
  }

  /** No longer encrypted. */
  async #plain(all: Several | null | undefined): Promise<Several | null> {
    let payloads = all?.payloads;
    if (!payloads) return all ?? null;
    const { payloadCodecs } = this.#client.options.loadedDataConverter;
    for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
    return { payloads };
  }
}
