// The process entry of the service.
import { runService } from './run.ts';

try {
  await runService(process.env);
} catch (error) {
  process.stderr.write(`lockerflow-service: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
