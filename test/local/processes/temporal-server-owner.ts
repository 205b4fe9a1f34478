// Process of temporal/server.test.ts: starts a server, says where, and waits to be killed.
import { startTemporalServer } from '../../../local/temporal/server.ts';

const server = await startTemporalServer();
process.stdout.write(`${server.address}\n`);
