// The table of handlers, one for each operation of the contract: a missing one does not compile.
import { accountHandlers } from './accounts/handlers.ts';
import { callbackHandlers } from './callbacks/handlers.ts';
import type { Handlers } from './handler.ts';
import { shipmentHandlers } from './shipments/handlers.ts';

export const handlers = {
  ...accountHandlers,
  ...callbackHandlers,
  ...shipmentHandlers,
} satisfies Handlers;
