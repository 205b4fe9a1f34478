// A call that waits for its next try while the connection is closed ends as one that its caller gave up. Without this, the
// library throws from its timer, where nobody can catch it, and the whole process ends.
import {
  type ConnectionOptions,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
} from '@temporalio/client';
import { GIVEN_UP, grpcCodes } from './grpc-failure.ts';

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];
type Call = ReturnType<Parameters<Interceptor>[1]>;

/** The library's message for a call on a closed connection. */
const CLOSED = 'Channel has been shut down';

const nothing = () => undefined;

const givenUp: Call = {
  start(metadata, listener) {
    // An empty one: that of the request has the credentials.
    const none = new (metadata.constructor as new () => typeof metadata)();
    listener?.onReceiveMessage?.(null);
    listener?.onReceiveStatus?.({ code: grpcCodes.cancelled, details: GIVEN_UP, metadata: none });
  },
  sendMessage: nothing,
  sendMessageWithContext: nothing,
  startRead: nothing,
  halfClose: nothing,
  cancelWithStatus: nothing,
  getPeer: () => 'closed',
  getAuthContext: () => null,
};

const giveUpOnceClosed = ((options, nextCall): Call => {
  try {
    return nextCall(options);
  } catch (error) {
    if (error instanceof Error && error.message === CLOSED) return givenUp;
    throw error;
  }
}) as Interceptor; // whose type names a class where the library asks for no more than what each call has

/** The library's tries, of which each passes through what stands behind. */
export const callInterceptors: Interceptor[] = [
  makeGrpcRetryInterceptor(defaultGrpcRetryOptions()),
  giveUpOnceClosed,
];
