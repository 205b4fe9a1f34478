// A client's calls end with their activity. What serves many must not end with the first.

import { AsyncLocalStorage } from 'node:async_hooks';

export const detached = AsyncLocalStorage.snapshot();
