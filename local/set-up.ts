// The part of the set-up that needs the dependencies: obtains the Temporal program. Run by with-set-up.mjs.
import { obtainTemporalProgram } from './temporal/obtain.ts';

try {
  await obtainTemporalProgram({ env: process.env, say: (line) => console.error(`lockerflow: ${line}`) });
} catch (error) {
  console.error(`lockerflow: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
