// Which folder may import what, and why. A row is about every file below its path; of several, the longest path counts. Each folder
// may import itself. imports.ts beside it holds the code to it.

export interface Row {
  /**
   * Separated by commas. Below the repository's root: a folder (`contract/machines/`) or a file. `type contract/machines/`: its
   * types alone. What has neither a slash at its end nor an ending is a package: `node:` means every part of Node,
   * `@opentelemetry/*` every package of that scope.
   */
  readonly may: string;
  /** What the folder may not import although a row above says so. */
  readonly not?: string;
  readonly because: string;
}

/** What every program needs. */
const PROGRAM = `shared/api-description/, shared/http/, shared/limits/, shared/settings/, shared/telemetry/,
  shared/terminal/, node:, pino, zod`;
const TEMPORAL = '@temporalio/client, @temporalio/common';

export const table: Readonly<Record<string, Row>> = {
  'contract/': {
    may: 'libphonenumber-js, zod',
    not: 'contract/machines/',
    because: 'it is the messages: no I/O, nothing of the rest',
  },
  'contract/machines/': {
    may: 'type contract/, xstate',
    because: 'its rules are pure, and zod must not get in',
  },
  'shared/': { may: '', not: 'shared/**/*', because: 'each of its rooms has a row of its own' },
  'shared/http/': { may: 'shared/limits/, type fastify, node:', because: 'all servers have it in common' },
  'shared/limits/': { may: '', because: 'every folder may use it' },
  'shared/terminal/': {
    may: 'commander, pino, node:',
    because: 'all command lines and servers have it in common',
  },
  'shared/markdown/': {
    may: 'shared/terminal/escape-control-characters.ts',
    because: 'whoever writes for the Web UI uses it, in Temporal’s sandbox too',
  },
  'shared/texts/': {
    may: 'type fastify, node:',
    because: 'servers and the page render their texts by it',
  },
  'shared/settings/': {
    may: 'contract/, zod, yaml, node:crypto, node:net',
    because: 'it reads settings and does no I/O',
  },
  'shared/codec/': {
    may: 'shared/settings/, @temporalio/common, @temporalio/proto, node:',
    because: 'every client and every worker is made with it',
  },
  'shared/api-description/': {
    may: 'shared/http/, node:, fastify, zod',
    because: 'it shows any API, and knows nothing of it',
  },
  'shared/telemetry/': {
    may: `shared/http/, shared/terminal/listening.ts, ${TEMPORAL}, @opentelemetry/*, @temporalio/worker, node:`,
    because: 'every program may switch it on',
  },
  'engine/': {
    may: 'contract/flows/attribution.ts, contract/flows/note.ts, contract/flows/outreach.ts, type @temporalio/workflow, xstate',
    not: 'engine/temporal/',
    because: 'it steps a process in any world, and knows nothing of lockers',
  },
  'engine/temporal/': {
    may: 'contract/flows/outreach.ts, engine/, shared/markdown/, xstate, @temporalio/workflow',
    because: 'it is one world, and knows nothing of lockers',
  },
  'engine/chart/': {
    may: 'engine/, xstate, elkjs',
    not: 'engine/temporal/',
    because: 'it shows and draws any machine',
  },
  'flows/': { may: '', not: 'flows/**/*', because: 'each of its rooms has a row of its own' },
  'flows/accounts/': {
    may: 'type contract/, engine/, flows/booking/notification-request.ts, flows/language/, shared/markdown/, xstate',
    not: 'engine/temporal/, flows/language/lint/, flows/language/reading/',
    because: 'what a process says is pure',
  },
  'flows/built-in/': { may: 'type contract/', because: 'it is plain data' },
  'flows/booking/': {
    may: `contract/machines/, type contract/, engine/, flows/built-in/, flows/language/, shared/limits/backoff.ts, shared/markdown/,
      xstate`,
    not: 'engine/temporal/, flows/language/lint/, flows/language/reading/',
    because: 'a booking is pure: time is an argument, and failures are judged by their codes',
  },
  'flows/shipped/': {
    may: 'flows/built-in/, flows/language/flow-file.ts, flows/language/whole-process.ts',
    because: 'it is plain data',
  },
  'flows/language/': {
    may: `type contract/, contract/flows/longest-wait.ts, contract/flows/wait-codes.ts, engine/, shared/markdown/, xstate,
      @marcbachmann/cel-js`,
    not: `engine/temporal/, flows/language/lint/, flows/simulation/, flows/language/reading/`,
    because: 'what runs in Temporal’s sandbox needs no parser',
  },
  'flows/simulation/': {
    may: 'flows/accounts/, flows/booking/, flows/language/, engine/, type contract/, xstate, yaml',
    not: 'engine/temporal/',
    because: 'it plays a file in virtual time',
  },
  ...rows(['flows/language/lint/', 'flows/language/reading/'], {
    may: `contract/flows/flow-input.ts, contract/flows/flow-input-check.ts, contract/flows/flow-rules.ts,
      contract/flows/longest-wait.ts, contract/flows/onboard-input.ts, contract/wire/contract-error.ts, flows/language/, engine/chart/, flows/built-in/, type contract/, xstate, yaml`,
    because: 'it is pure',
  }),
  'workflows/': {
    may: `engine/, flows/accounts/, flows/booking/, flows/built-in/, flows/language/, flows/shipped/, contract/machines/, shared/limits/backoff.ts, shared/markdown/, type
      shared/telemetry/temporal/trace-sinks.ts, type contract/, type activities/, xstate, @temporalio/workflow`,
    not: `flows/language/lint/, flows/simulation/, flows/language/reading/`,
    because: 'it runs in Temporal’s sandbox, where zod and I/O must not get in',
  },
  'shared/routing/': {
    may: `contract/, shared/limits/, shared/markdown/, ${TEMPORAL}, lru-cache, node:`,
    because: 'receiver and activities both use it',
  },
  'activities/': {
    may: `contract/, type flows/booking/, flows/language/, shared/limits/, shared/markdown/, shared/locker-api/, shared/routing/, shared/settings/,
      shared/codec/whole-texts.ts, @temporalio/activity, lru-cache, node:`,
    because: 'the order of calls is the business of workflows',
  },
  'shared/locker-api/': {
    may: 'contract/, shared/limits/, undici, node:',
    because: 'it is published for those who have no Temporal',
  },
  'activities/connectors/': {
    may: `activities/, contract/, flows/language/, shared/limits/, shared/settings/, shared/telemetry/spans.ts,
      shared/locker-api/redact-response.ts, shared/locker-api/redaction.ts, shared/locker-api/http-exchange.ts,
      shared/locker-api/token-cache.ts, @temporalio/activity, nodemailer, oauth4webapi, undici, node:`,
    not: 'activities/booking/',
    because: 'it calls other systems for flow files, and never the locker API',
  },
  'activities/migrations/': {
    may: `activities/flow-directory.ts, activities/per-client.ts, shared/routing/, contract/, flows/language/, ${TEMPORAL}, @temporalio/activity,
      p-limit, node:`,
    because: 'batches and commands ask processes in the same way',
  },
  'worker/': {
    may: `activities/, client/flow-files/, client/locker-flows.ts, processes/batches/batch-activities.ts, processes/notifications/,
      processes/flow-clock.ts, shared/codec/, contract/, shared/locker-api/, shared/routing/, ${PROGRAM},
      ${TEMPORAL}, @temporalio/envconfig, @temporalio/worker, @jridgewell/sourcemap-codec`,
    because: 'it is wiring: it names workflows only by their path',
  },
  'client/': {
    may: `shared/locker-api/, shared/codec/, contract/, engine/chart/, flows/language/, shared/markdown/, shared/routing/, type
      workflows/, ${PROGRAM}, ${TEMPORAL}, @temporalio/envconfig, fastify`,
    because: 'callers need neither the worker nor the service',
  },
  'processes/': {
    may: `shared/locker-api/, shared/routing/, shared/texts/, client/, contract/, engine/chart/, flows/booking/drawn-bookings.ts, flows/booking/timer-names.ts, flows/language/, flows/simulation/, shared/limits/,
      shared/markdown/, type workflows/, type activities/flow-file-activities.ts, type activities/flow-activities.ts, type
      engine/temporal/family.ts, flows/shipped/shipped-files.ts, flows/built-in/,
      activities/migrations/migrate-process.ts, activities/migrations/processes-to-migrate.ts, ${TEMPORAL}, node:, zod,
      lru-cache, p-limit, @temporalio/proto, xstate`,
    not: 'client/receiver/, client/codec-server/',
    because: 'commands and views are the same for the command line, the page and the API: it renders nothing',
  },
  'processes/batches/batch-activities.ts': {
    may: 'processes/, client/locker-flows.ts, contract/, shared/locker-api/, @temporalio/activity, @temporalio/client, node:',
    because: 'a worker does a command for many as whoever does it for one',
  },
  'processes/notifications/': {
    may: `processes/, client/locker-flows.ts, contract/, flows/language/, shared/locker-api/, shared/routing/, shared/settings/read-settings.ts, shared/texts/,
      @temporalio/activity, ${TEMPORAL}, node:, zod`,
    because: 'a worker reads Work as a page does, and hands the message to a connector that it is given',
  },
  'cli/': {
    may: `shared/locker-api/, client/, contract/, engine/chart/, flows/language/, flows/simulation/, processes/, shared/codec/,
      shared/routing/, type workflows/, ${PROGRAM}, ${TEMPORAL}, commander`,
    because: 'it renders what processes/ does and finds, and alone has exit codes for it',
  },
  'service/': {
    may: `contract/, contract/machines/, ${PROGRAM}, commander, fastify, @fastify/*, jose, kysely, lru-cache, pg,
      undici, ws, @e965/xlsx, csv-parse, libphonenumber-js, @opentelemetry/api, yauzl`,
    not: 'service/simulated-wall/',
    because: 'it runs without Temporal, and without the orchestrator',
  },
  'service/simulated-wall/': {
    may: `contract/, shared/http/, shared/limits/, shared/settings/settings-file.ts,
      shared/settings/read-settings.ts, shared/settings/values.ts, shared/terminal/, fastify, jose, lru-cache, pino, ws, zod, node:`,
    because: 'it speaks to the service by the wall protocol alone',
  },
  'console/': {
    may: `shared/locker-api/, shared/texts/, client/, contract/, engine/chart/, flows/built-in/, processes/,
      flows/language/, shared/routing/, ${PROGRAM}, ${TEMPORAL},
      fastify, jose, vite, lru-cache, openid-client, p-limit`,
    not: 'console/page/, shared/terminal/exit-codes.ts, shared/terminal/failure-message.ts',
    because: 'it has no database: it reads from Temporal and from the locker API',
  },
  'console/page/': {
    may: 'shared/styles/, shared/texts/, flows/language/part-keys.ts, console/process/overview/phase-words.ts, processes/action-forms/opening-form.ts, processes/views/due.ts, processes/views/format-names.ts, processes/views/row-words.ts, type console/**/*-view.ts, preact',
    because: 'it runs in the browser',
  },
  'local/': {
    may: `cli/, client/, contract/, flows/language/, processes/, service/administration/, service/demo-data.ts, service/storage/, service/token/,
      service/uid.ts, shared/, worker/node-options.ts, worker/workflow-bundle.ts, pg, yaml, yauzl, zod, node:, @temporalio/client, @temporalio/testing`,
    because: 'it runs the programs as processes, and is a part of the package',
  },
  ...rows(['scripts/', 'docs/', 'test/'], { may: '**/*, *, @*/*', because: 'the levels alone limit it' }),
};

/** From below to above: a file imports from its own level and from those before it, be it only types. */
export const levels = [
  'contract/',
  'shared/',
  'engine/',
  'flows/',
  'activities/',
  'workflows/',
  'client/',
  'processes/',
  'worker/',
  'cli/',
  'console/',
  'service/',
  'local/',
  'docs/',
  'scripts/',
  'test/',
];

function rows(paths: readonly string[], row: Row): Record<string, Row> {
  return Object.fromEntries(paths.map((path) => [path, row]));
}
