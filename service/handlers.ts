// The table of handlers. An operation that has none yet is answered with UnknownOperation.
import { accountHandlers } from './accounts/handlers.ts';
import { callbackHandlers } from './callbacks/handlers.ts';
import type { Handlers } from './handler.ts';
import { shipmentHandlers } from './shipments/handlers.ts';

export const handlers = {
  ...accountHandlers,
  ...callbackHandlers,
  ...shipmentHandlers,
} satisfies Partial<Handlers>;
