// /sandbox: functions that integrators need from a staging service and that the interface does not have. Each route
// takes the tenant's bearer token and acts on that tenant alone; in production every path below /sandbox is
// NotAvailable (assumptions: The wire).
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { ApiError } from '../api-error.ts';
import type { Settings } from '../settings.ts';
import type { Database } from '../storage/database.ts';
import type { SwitchBoard } from '../switches/switches.ts';
import { type Authentication, authenticate } from '../token/authentication.ts';
import { changeClock, showClock } from './clock.ts';
import { faults } from './lockers.ts';
import { reset, setSwitches, showSwitches } from './reset.ts';
import type { SandboxRoute } from './sandbox-route.ts';

export const sandboxRoutes: readonly SandboxRoute[] = [
  reset,
  faults,
  showSwitches,
  setSwitches,
  showClock,
  changeClock,
];

interface SandboxDependencies extends Authentication {
  readonly database: Kysely<Database>;
  readonly switchBoard: SwitchBoard;
  readonly settings: Settings;
}

export function addSandbox(app: FastifyInstance, dependencies: SandboxDependencies): void {
  if (dependencies.settings.mode === 'production') {
    app.all('/sandbox/*', async () => {
      throw new ApiError('NotAvailable', '/sandbox exists in staging only');
    });
    return;
  }
  const { database, switchBoard } = dependencies;
  for (const { method, path, handle } of sandboxRoutes)
    app.route({
      method,
      url: path,
      onRequest: async (request, reply) => {
        request.apiClient = await authenticate(dependencies, request, reply);
      },
      handler: async (request) => {
        if (!request.apiClient) throw new TypeError('A sandbox route was reached without authentication');
        const { tenantId, tenantUid } = request.apiClient;
        const answer = await handle(request.body, { database, switchBoard, tenantId, tenantUid });
        return { ...answer, success: true, error: null, message: null };
      },
    });
}
