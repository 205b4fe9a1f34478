// What every area of the console's server gets. An area is a Fastify plugin in console/<area>/<area>-routes.ts, made from
// these parts: `export const wallsRoutes = (parts: ConsoleParts, readers: ConsoleReaders): FastifyPluginAsync => …`; server.ts lists the areas. What is
// about processes is in api/.

import type { OutreachSettings } from '../contract/flows/outreach.ts';
import type { ServiceClock } from '../processes/flow-clock.ts';
import type { CommandContext, TemporalContext } from '../processes/temporal-context.ts';
import type { LockerApi } from '../shared/locker-api/index.ts';
import type { ConsoleUser } from './access/user.ts';
import type { SharedAnswers } from './shared-answers.ts';

export interface ConsoleParts extends TemporalContext {
  /** The locker service, with the console's own credentials: one tenant. */
  readonly service: LockerApi;
  readonly serviceClock: ServiceClock;
  readonly shared: SharedAnswers;
  /** Of the checksums of pages: the same after a restart, and in each console of the installation. */
  readonly pageKey: string;
  /**
   * The same in somebody's name: Temporal keeps it with each request that changes a process, the service in its audit log.
   * With an `updateId`, a repeated update is the same one.
   */
  as(
    who: Pick<ConsoleUser, 'name'> & {
      readonly isProgram?: boolean;
      readonly onBehalfOf?: string | undefined;
      /** The caller's id; absent: nothing is started. */
      readonly id?: string | undefined;
    },
    updateId?: string,
  ): CommandContext & { readonly service: Pick<LockerApi, 'call'> };
  readonly temporalUiUrl: string;
  /** What the workers deliver outside. */
  readonly outreach: OutreachSettings;
}
