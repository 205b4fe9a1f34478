// Whether the database had no connection for a request: the pool's are all in use, or the server's are. The statement
// that asked for one was not sent.
import pg from 'pg';

// The pool gives no code.
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';
const TOO_MANY_CONNECTIONS = '53300';

export const isOverload = (error: unknown): boolean =>
  (error instanceof Error && error.message === POOL_TIMEOUT) ||
  (error instanceof pg.DatabaseError && error.code === TOO_MANY_CONNECTIONS);
