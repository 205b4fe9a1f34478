// Process of obtain.ts: has the SDK download its Temporal program into the folder given, and ends.
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { writeError } from '../../shared/terminal/terminal.ts';
import { TEMPORAL_RELEASE } from './program.ts';

const downloadDir = process.argv[2];
if (downloadDir === undefined)
  throw new TypeError('expected the folder to download into as the only argument');

try {
  // The SDK offers no download by itself: it comes with starting a server.
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', version: TEMPORAL_RELEASE, downloadDir } },
  });
  await environment.teardown();
} catch (error) {
  writeError(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
