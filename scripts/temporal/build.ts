// Obtains Temporal by building its command-line program from source with the Go on this machine. A cold build
// downloads some 300 modules and takes about 3 min on two cores.
import { buildWithGo } from './go-build.ts';
import type { TemporalSource } from './program.ts';
import { TEMPORAL_RELEASE } from './program.ts';

const temporal = {
  words: `Temporal ${TEMPORAL_RELEASE}`,
  command: 'github.com/temporalio/cli/cmd/temporal',
  version: TEMPORAL_RELEASE,
  minutes: 3,
  linkerFlags: `-X github.com/temporalio/cli/temporalcli.Version=${TEMPORAL_RELEASE.slice(1)}`,
};

export const buildTemporal: TemporalSource = {
  name: 'a build with Go',
  obtain: (folder, context) => buildWithGo(temporal, folder, context),
};
