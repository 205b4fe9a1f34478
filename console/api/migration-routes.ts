// Versions that differ, and processes that go over from one to another: what would become of them, one batch for many with its
// progress, and one process alone.

import { z } from 'zod';
import { nameOf } from '../../contract/flows/attribution.ts';
import type { MigrationInput, PlanData } from '../../contract/flows/migrations.ts';
import { formatChange } from '../../flows/language/diff/format-diff.ts';
import { askedTemporal } from '../../processes/at-temporal.ts';
import { isBuiltIn } from '../../processes/commands/start.ts';
import { planData, planIn, planWithGaps } from '../../processes/migration-plan.ts';
import {
  askBatch,
  batchesOf,
  batchOf,
  dryRun,
  type MigrationTarget,
  migrateOne,
  onVersion,
  startBatch,
  targetOf,
  versionsCompared,
} from '../../processes/migrations.ts';
import { Refusal } from '../../processes/outcome.ts';
import { flowName, why } from '../../processes/views/process-fields.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { actingAs } from './acting.ts';
import { commandOutcome } from './commands.ts';
import { flag, ofProcess } from './fields.ts';
import { type ApiRoute, apiRoute } from './route.ts';

const versionNumber = z.int().min(1).max(1_000_000);
const inPath = z.coerce.number().int().min(1).max(1_000_000).meta({ type: 'integer' });
const ofFlow = z.object({ flow: flowName });
const ofBatch = ofFlow.extend({ to: inPath });

const plan = z
  .union([planData, z.string().meta({ description: 'The same as YAML' })])
  .default({})
  .meta({ description: 'What the new version does not say itself, as in docs/changing-flows.md' });
const planOf = (given: z.output<typeof plan>): PlanData =>
  typeof given === 'string' ? planIn(given) : given;
const back = z
  .boolean()
  .default(false)
  .meta({ description: 'To a version that they had: exactly as they were where nothing has happened since' });

const wanted = z.strictObject({
  to: versionNumber.meta({ examples: [2] }),
  from: versionNumber.optional().meta({ description: 'Only processes on this version' }),
  held: z.boolean().default(false).meta({ description: 'Only processes held by a step that failed' }),
  why,
  plan,
  back,
  wait: z
    .boolean()
    .default(false)
    .meta({ description: 'Come back to processes that cannot be carried where they are now' }),
  first: z.int().min(0).max(10_000).default(10).meta({ description: 'So many go first, and are looked at' }),
  rate: z.int().min(1).max(1_000).default(20).meta({ description: 'Processes in a second' }),
  maxRefused: z.number().min(0).max(1).default(0.2).meta({ description: 'It stops above this share' }),
  dryRun: z.boolean().default(false).meta({ description: 'Only say what would become of them' }),
});

const group = z.object({
  outcome: z.string(),
  code: z.string(),
  at: z.string().meta({ description: 'The state’s path, the invoke’s id, or the field' }),
  reason: z.string(),
  remedy: z.string(),
  count: z.int(),
  example: z.string().meta({ description: 'The key of one of them' }),
});

const foreseen = z.object({
  carried: z.int(),
  overdue: z.int().meta({ description: 'How many of the carried ones have a timer that is due at once' }),
  groups: z.array(group).meta({ description: 'Those that are not carried, by what stands in the way' }),
  notes: z.record(z.string(), z.int()),
  plan: z
    .string()
    .nullable()
    .meta({ description: 'As YAML, with a TODO for each gap; null: nothing is missing that a plan can say' }),
});

const batch = z
  .object({
    flow: z.string(),
    to: z.int(),
    by: z.string(),
    why: z.string(),
    back: z.boolean(),
    first: z.int(),
    rate: z.int(),
    startedAt: z.string(),
    closedAt: z.string().nullable(),
    status: z
      .object({
        phase: z.enum(['running', 'paused', 'stopped', 'done']),
        stopped: z.string().optional().meta({ description: 'Why it has stopped by itself' }),
        sweeps: z.int(),
        migrated: z.int(),
        groups: z.array(group),
      })
      .nullable()
      .meta({ description: 'Null: no worker answers now' }),
  })
  .meta({ title: 'MigrationBatch' });

const difference = z.object({
  flow: z.string(),
  from: z.int(),
  to: z.int(),
  changes: z.array(
    z.looseObject({ part: z.string(), how: z.string(), state: z.string(), words: z.string() }),
  ),
});

/** A batch that somebody follows. */
const BATCH_EVERY_MS = 1_000;

const shownBatch = { 200: { description: 'The batch', schema: batch } };

export const migrationRoutes = (parts: ConsoleParts): ApiRoute[] => [
  diffRoute(parts),
  startRoute(parts),
  ...batchRoutes(parts),
  processRoute(parts),
];

const diffRoute = ({ client }: ConsoleParts): ApiRoute =>
  apiRoute({
    name: 'compareVersions',
    method: 'GET',
    path: '/v1/flows/{flow}/versions/{to}/diff',
    right: 'read',
    tag: 'Flows',
    params: ofBatch,
    problems: [404, 409],
    query: z.strictObject({ from: inPath.optional().meta({ description: 'The version before, if absent' }) }),
    summary: 'Says what differs between two versions of a published flow file',
    answers: { 200: { description: 'The difference', schema: difference } },
    handle: async ({ params: { flow, to }, query: { from = Math.max(1, to - 1) } }) => {
      if (isBuiltIn(flow))
        throw new Refusal('refused', 'NotAFlowFile', `${flow} is built in; only flow files are compared`);
      const compared = await versionsCompared(client, flow, { from, to });
      const changes = compared.changes.map((each) => ({ ...each, words: formatChange(each) }));
      return { flow, from, to, changes };
    },
  });

/** A migration keeps one name. */
function namedActing(...given: Parameters<typeof actingAs>) {
  const acting = actingAs(...given);
  return { client: acting.client, by: nameOf(acting) };
}

const startRoute = (parts: ConsoleParts): ApiRoute =>
  apiRoute({
    name: 'migrateFlow',
    method: 'POST',
    path: '/v1/flows/{flow}/migrations',
    right: 'publish',
    tag: 'Flows',
    params: ofFlow,
    body: wanted,
    problems: [404, 409],
    headers: ['OnBehalfOf'],
    summary: 'Brings the open processes of a flow to another version, or says what would become of them',
    description:
      'A dry run asks every process and answers when all have answered, with status 200: some hundred in a second. Otherwise a batch begins, which survives every crash: some go first, then the others at a rate; read the progress at the Location. Each process keeps who migrated it, and why.',
    example: { to: 2, why: 'a shorter shelf time', dryRun: true },
    answers: {
      200: { description: 'What would become of them', schema: foreseen },
      202: { description: 'It has begun', schema: batch, headers: { Location: 'Its progress' } },
    },
    handle: async ({ params: { flow }, body, caller, request, reply }) => {
      const { client, by } = namedActing(parts, { caller, request });
      const { dryRun: isDryRun, from, wait, to, plan: given, ...others } = body;
      const target = await targetOf(client, { flow }, String(to));
      const input: MigrationInput = {
        ...target,
        ...others,
        by,
        waits: wait,
        plan: planOf(given),
        query: from === undefined ? null : onVersion(flow, from),
      };
      if (isDryRun) {
        const found = await dryRun(client, input);
        return { ...found, plan: planWithGaps(found.groups) };
      }
      await startBatch(client, input, parts.taskQueue);
      request.log.info({ by, flow, to }, 'processes are migrated to another version');
      parts.live.changed(`/v1/flows/${flow}/migrations`);
      reply.code(202).header('location', `/v1/flows/${flow}/migrations/${to}`);
      return await batchOf(client, target);
    },
  });

function batchRoutes(parts: ConsoleParts): ApiRoute[] {
  const list = async ({ params: { flow } }: { params: z.output<typeof ofFlow> }) => ({
    items: await askedTemporal(parts, () => batchesOf(parts.client, flow)),
  });
  const told = (what: 'pause' | 'resume'): ApiRoute =>
    apiRoute({
      name: `${what}Migration`,
      method: 'POST',
      right: 'publish',
      tag: 'Flows',
      params: ofBatch,
      path: `/v1/flows/{flow}/migrations/{to}/${what}`,
      summary:
        what === 'pause'
          ? 'Pauses a batch, after the processes that are being asked'
          : 'Lets a batch go on, also one that has stopped by itself',
      body: z.strictObject({}),
      answers: shownBatch,
      problems: [404, 409],
      headers: ['OnBehalfOf'],
      handle: async ({ params, caller, request }) => {
        const { client, by } = namedActing(parts, { caller, request });
        await askBatch(client, params, what);
        request.log.info({ by, ...params, what }, 'somebody paused or resumed a migration');
        parts.live.changed(`/v1/flows/${params.flow}/migrations`);
        return await batchOf(client, params);
      },
    });
  return [
    apiRoute({
      name: 'listMigrations',
      method: 'GET',
      path: '/v1/flows/{flow}/migrations',
      right: 'read',
      tag: 'Flows',
      params: ofFlow,
      summary: 'Lists the newest migrations of a flow, with their progress',
      description: 'It can be followed.',
      answers: { 200: { description: 'The newest first', schema: z.object({ items: z.array(batch) }) } },
      handle: list,
      follow: { everyMs: BATCH_EVERY_MS, read: list },
    }),
    apiRoute({
      name: 'getMigration',
      method: 'GET',
      path: '/v1/flows/{flow}/migrations/{to}',
      right: 'read',
      tag: 'Flows',
      params: ofBatch,
      summary: 'Reads how far the newest migration to a version is',
      answers: shownBatch,
      problems: [404],
      handle: ({ params }) => batchOf(parts.client, params),
    }),
    told('pause'),
    told('resume'),
  ];
}

const migrated = z.strictObject({ to: versionNumber, why, plan, back });

const processRoute = (parts: ConsoleParts): ApiRoute =>
  apiRoute({
    name: 'migrate',
    method: 'POST',
    path: '/v1/processes/{key}/commands/migrate',
    right: 'publish',
    tag: 'Processes',
    params: ofProcess,
    body: migrated,
    problems: [404, 409, 503],
    headers: ['OnBehalfOf'],
    query: z.strictObject({ dryRun: flag('false', 'true: only say what would become of it') }),
    summary: 'Brings a process to another version of its flow; one that is held takes its event again',
    description:
      'It answers within 10 s. With 503 no worker has answered for the process: one that is back may still take the migration, so look at its progress before you ask again.',
    example: { to: 2, why: 'the sum was wrong' },
    answers: {
      200: {
        description: 'It is done, or for a dry run what would become of it',
        schema: commandOutcome.extend({ key: z.string(), command: z.string() }),
      },
    },
    handle: async ({ params: { key }, query: { dryRun: isDryRun }, body, caller, request }) => {
      const { client, by } = namedActing(parts, { caller, request });
      const { to, plan: given, ...others } = body;
      const target = await targetOf(client, { key }, String(to));
      const input = { ...ALONE, ...target, ...others, by, plan: planOf(given) };
      const outcome = outcomeOf(target, await migrateOne(client, input, key, !isDryRun), isDryRun);
      if (isDryRun) return { key, command: 'migrate', ...outcome };
      const { refusal, consequence } = outcome;
      if (refusal) {
        const { remedy = '' } = consequence.reasons[0] ?? {};
        throw new Refusal('refused', refusal.code, [refusal.message, remedy].filter(Boolean).join('. '));
      }
      request.log.info({ by, key, to }, 'a process was migrated over HTTP');
      parts.live.changed(`/v1/processes/${encodeURIComponent(key)}/details`);
      return { key, command: 'migrate', ...outcome };
    },
  });

/** What only a batch needs. */
const ALONE = { waits: false, held: false, query: null, first: 0, rate: 1, maxRefused: 1 } as const;

function outcomeOf(
  { flow, to }: MigrationTarget,
  { key, outcome, reasons, notes }: Awaited<ReturnType<typeof migrateOne>>,
  isDryRun: boolean,
) {
  const consequence = { outcome, reasons, notes };
  if (outcome === 'migrated' || outcome === 'already') {
    const words = `${key} ${isDryRun ? 'would be' : 'is'} on ${flow}@${to}`;
    return { isDone: !isDryRun, refusal: null, consequence, words };
  }
  const { code = outcome, reason = `${key} is not migrated: ${outcome}` } = reasons[0] ?? {};
  return { isDone: false, refusal: { code, message: reason }, consequence, words: null };
}
