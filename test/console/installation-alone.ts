// An installation with a Temporal of its own. Lists, inboxes and figures have nothing of other files there, whose processes change
// meanwhile, or wait for workers that are gone and cannot be asked.
import { afterAll, beforeAll, vi } from 'vitest';
import { searchAttributes } from '../../contract/flows/search-attributes.ts';
import { startTemporalServer, type TemporalServer } from '../../local/temporal/server.ts';
import type { Installation, Vendor } from '../end-to-end/installation.ts';
import { useInstallation } from '../end-to-end/use-installation.ts';

/** Gives it from the first test on. The variables of this process name its Temporal. */
export function useInstallationAlone(vendor: Vendor): () => Installation {
  let server: TemporalServer | undefined;
  // Before the hooks of `useInstallation`, which need the address. Hooks after the tests run in reverse order.
  beforeAll(async () => {
    server = await startTemporalServer({ searchAttributes });
    vi.stubEnv('TEMPORAL_ADDRESS', server.address);
  });
  afterAll(() => server?.stop());
  return useInstallation(vendor, {
    get temporalAddress() {
      return server?.address ?? '';
    },
  });
}
