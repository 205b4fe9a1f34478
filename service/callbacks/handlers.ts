// The handler of the operation that registers the callback address.
import type { Handlers } from '../handler.ts';
import { configureCallback } from './configure-callback.ts';

export const callbackHandlers = { ConfigureCallback: configureCallback } satisfies Partial<Handlers>;
