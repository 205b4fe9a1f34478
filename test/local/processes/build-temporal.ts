// Process of obtain-temporal.test.ts: obtains Temporal with the Go that is on PATH as the only source.
import { buildTemporal } from '../../../local/temporal/build.ts';
import { obtainTemporalProgram } from '../../../local/temporal/obtain.ts';

try {
  const say = (line: string) => console.error(line);
  console.log(`obtained ${await obtainTemporalProgram({ env: process.env, say }, [buildTemporal])}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
