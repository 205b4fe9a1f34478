// The same package in a service that is CommonJS, as many are.
import { LockerFlows } from 'lockerflow/client';

const workflowsPath = require.resolve('lockerflow/workflows');
process.stdout.write(JSON.stringify({ workflowsPath, starts: typeof LockerFlows.prototype.start }));
