// Runs the console: its connections to Temporal and to the locker service, and its server.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { connectTemporal } from '../client/connect.ts';
import { EventChecks } from '../client/flow-files/event-checks.ts';
import { LockerFlows, type LockerFlowsOptions } from '../client/locker-flows.ts';
import { openLinkFolder } from '../client/sign-in-links.ts';
import { formatAttribution } from '../contract/flows/attribution.ts';
import { TASK_QUEUE } from '../contract/flows/flow-types.ts';
import { personByProgram, shortName } from '../contract/wire/request-headers.ts';
import { ServiceClock } from '../processes/flow-clock.ts';
import { Inbox } from '../processes/inbox/inbox.ts';
import { lockerServiceOf } from '../processes/locker-service.ts';
import { capabilitiesIn } from '../processes/temporal-context.ts';
import { readCounts } from '../processes/views/counts.ts';
import { startMetrics } from '../shared/telemetry/telemetry.ts';
import type { ConsoleParts } from './console-parts.ts';
import { heavyWork } from './heavy/heavy-work.ts';
import { createConsole } from './server.ts';
import type { ConsoleSettings } from './settings.ts';
import { SharedAnswers } from './shared-answers.ts';
import { OpenId } from './sign-in/open-id.ts';
import { Sessions } from './sign-in/sessions.ts';
import { SignIn } from './sign-in/sign-in.ts';
import { UsersFile } from './sign-in/users-file.ts';
import { measureWork } from './work-metrics.ts';

// Its audit log keeps no longer names.
const LONGEST_OF_SERVICE = 100;

export interface RunningConsole {
  readonly address: string;
  stop(): Promise<void>;
}

/** Temporal and the service need not be up: the pages say when one does not answer. */
export async function startConsole(
  settings: ConsoleSettings,
  variables: Readonly<Record<string, string | undefined>>,
  log: FastifyBaseLogger,
): Promise<RunningConsole> {
  const signIn = signInOf(settings, log);
  const metrics = await startMetrics('CONSOLE_METRICS_ADDRESS', settings.metricsAddress);
  const { client, as } = await connectTemporal({ lazily: true });
  const taskQueue = variables.LOCKERFLOW_TASK_QUEUE || TASK_QUEUE;
  const service = lockerServiceOf(variables);
  const options = {
    taskQueue,
    consoleUrl: settings.linkedUrl,
    lockerCapabilities: capabilitiesIn(variables),
    textChecks: {
      contents: (texts) => heavyWork.do('contents', texts),
      check: (given) => heavyWork.do('check', given),
    },
    eventChecks: new EventChecks(client),
  } satisfies LockerFlowsOptions;
  const flows = new LockerFlows(client, options);
  const parts = {
    client,
    taskQueue,
    flows,
    service,
    serviceClock: new ServiceClock(service),
    shared: new SharedAnswers(),
    pageKey: variables.LOCKER_CLIENT_SECRET || randomUUID(),
    as: ({ name, isProgram, onBehalfOf, id }: Parameters<ConsoleParts['as']>[0], updateId?: string) => {
      const own = as(isProgram ? formatAttribution({ by: name, onBehalfOf }) : `${name} (console)`);
      return {
        client: own,
        taskQueue,
        flows: new LockerFlows(own, { ...options, updateId, startedBy: id }),
        by: name,
        onBehalfOf,
        outreach: settings.outreach,
        service: service.onBehalfOf(
          onBehalfOf === undefined ? shortName(name, LONGEST_OF_SERVICE) : personByProgram(onBehalfOf, name),
        ),
      };
    },
    temporalUiUrl: settings.temporalUiUrl,
    outreach: settings.outreach,
  };
  const inbox = new Inbox(parts);
  measureWork({ inbox: () => inbox.read(), counts: () => readCounts(parts, {}) });
  const server = await createConsole({ settings, parts, inbox, signIn, log });
  const address = await server.listen();
  openLinkFolder(settings.home, settings.url ?? address);
  return {
    address,
    async stop() {
      await server.close();
      await service.close();
      await metrics.stop();
      // The connection to Temporal ends with the process. A call that the library tries again meanwhile would find it closed,
      // and throw where nobody can catch it.
    },
  };
}

function signInOf(settings: ConsoleSettings, log: FastifyBaseLogger): SignIn {
  const { home, usersPath, linkSecret, linkName, sessionMs, openId, linkedUrl } = settings;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const sessions = new Sessions({
    file: join(home, 'console-sessions.json'),
    lastMs: sessionMs,
    link: linkSecret,
  });
  const usersBroken = (why: string | null) =>
    why === null
      ? log.info({ file: usersPath }, 'the file of users is right again')
      : log.error(
          { file: usersPath, why },
          'the file of users is wrong: the former users stay until it is mended',
        );
  return new SignIn({
    isSecure: settings.url?.startsWith('https:') ?? false,
    users: usersPath === undefined ? undefined : new UsersFile(usersPath, usersBroken),
    sessions,
    linkName,
    home,
    openId: openId && linkedUrl !== undefined ? new OpenId(openId, linkedUrl) : undefined,
  });
}
