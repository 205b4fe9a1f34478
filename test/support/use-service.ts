// A service for all tests of a file, with the tenants of the demo data: `demo`, and `other`, which sees nothing of it.
import { beforeEach } from 'vitest';
import { callerAs } from './caller.ts';
import { createTestService } from './service.ts';
import { useInFile } from './use.ts';
import { wallOf } from './wall.ts';

/** The tenants call operations, and take any answer. */
export function useCallers() {
  const service = useInFile(() => createTestService());
  const as = (tenant: string) => useInFile(() => callerAs(service.address, tenant));
  return { service, demo: as('demo'), other: as('other') };
}

/** The tenants are at work, and expect success. */
export function useTenants() {
  const service = useInFile(() => createTestService());
  const as = (tenant: string) => useInFile(() => wallOf(service.address, tenant));
  return { service, demo: as('demo'), other: as('other') };
}

/** Before each test the tenant `demo` is back at the demo data. */
export function useTenantsAnew() {
  const used = useTenants();
  beforeEach(() => used.demo.sandbox('POST', 'reset'));
  return used;
}
