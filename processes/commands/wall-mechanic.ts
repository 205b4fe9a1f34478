// A request for a mechanic at a wall or at a door that no process has. Those for one place have one id in Temporal, so that two people
// who ask at the same time do not both send it.
import { createHash, randomUUID } from 'node:crypto';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { z } from 'zod';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import {
  LONGEST_MESSAGE,
  type MechanicMemo,
  mechanicSubjects,
  OUTREACH_DELIVERY,
  type Outreach,
} from '../../contract/flows/outreach.ts';
import type { SearchAttributeName } from '../../contract/flows/search-attributes.ts';
import { t } from '../../shared/texts/text.ts';
import { type Acting, type AtTemporal, attributionOf, callTemporal } from '../at-temporal.ts';
import { CommandError } from '../outcome.ts';
import { pickUpPointOf, requireService } from '../outreach/case-about.ts';
import { formatFault } from '../outreach/format-fault.ts';
import { lastMechanic } from '../outreach/mechanic-requests.ts';
import { requireConnector } from '../outreach/require-connector.ts';
import { isBehindOfflineWall } from '../views/offline-wall.ts';
import { shutDoors } from '../views/shut-doors.ts';
import { command } from './command.ts';
import { text } from './read-values.ts';
import { formatRequest, type MechanicPreview, type MechanicWanted, problemMissing } from './send-mechanic.ts';

const input = z.strictObject({
  lockerName: text.max(200).optional().meta({ description: 'Of the locker; left out: the wall as a whole' }),
  problem: text
    .max(LONGEST_MESSAGE, `is too long; at most ${LONGEST_MESSAGE} characters`)
    .optional()
    .meta({ description: 'What is wrong there; left out: why it could not be opened the last time' }),
  request: text.max(255).optional(),
});
type Input = z.infer<typeof input>;

/** The same request again, by its id, is the same one; another one waits until the other side has the first. */
export const sendMechanicToWall = command<Input, MechanicPreview, { readonly delivery: string }, string>({
  name: 'sendMechanic',
  right: 'decide',
  // What is wrong there says why.
  why: 'optional',
  input,
  flowOf: async () => null,
  async preview(acting, pupUid, given) {
    const wanted = await readRequest(acting, pupUid, given);
    return { ...wanted, asked: await lastMechanic(acting, pupUid, wanted.lockerName) };
  },
  async act(acting, pupUid, given) {
    const { lockerName, problem } = await readRequest(acting, pupUid, given);
    if (problem === null) throw problemMissing();
    const { request = randomUUID() } = given;
    const delivery = deliveryIdOf(pupUid, lockerName);
    const who = attributionOf(acting);
    const memo: MechanicMemo = { request, pupUid, lockerName, problem, key: null, ...who };
    const outreach: Outreach = {
      id: `${delivery}/${request}`,
      kind: 'sendMechanic',
      key: null,
      at: new Date().toISOString(),
      fields: { pupUid, ...(lockerName !== null && { lockerName }), problem, ...who },
    };
    const last = await lastOf(acting, delivery);
    if (last?.memo?.request === request) return { delivery };
    try {
      await callTemporal(acting, () =>
        acting.client.workflow.start(OUTREACH_DELIVERY, {
          taskQueue: acting.taskQueue,
          workflowId: delivery,
          args: [outreach],
          memo: { mechanic: memo },
          typedSearchAttributes: [{ key: SUBJECTS, value: [...mechanicSubjects(pupUid)] }],
          workflowIdConflictPolicy: 'FAIL',
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        }),
      );
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      const running = await lastOf(acting, delivery);
      if (running?.memo?.request !== request) throw alreadyAsked(running?.memo?.by);
    }
    return { delivery };
  },
  formatPreview: formatRequest,
  formatResult: () => t`the request for a mechanic is on its way`,
});

const SUBJECTS = { name: 'LockerSubjects' satisfies SearchAttributeName, type: 'KEYWORD_LIST' } as const;

const alreadyAsked = (by = 'somebody'): CommandError =>
  new CommandError(
    'refused',
    'AlreadyAsked',
    t`${by} has asked for a mechanic there already, and the other side does not have it yet: it is tried again`,
  );

const deliveryIdOf = (pupUid: string, lockerName: string | null): string =>
  `${internalIds.outreach}${createHash('sha256')
    .update(JSON.stringify([pupUid, lockerName]))
    .digest('base64url')}`;

async function readRequest(
  acting: Acting,
  pupUid: string,
  { lockerName, problem }: Input,
): Promise<MechanicWanted> {
  requireConnector(acting, 'sendMechanic');
  const preview = { pupUid, lockerName: lockerName ?? null };
  if (problem !== undefined) return { ...preview, problem };
  const service = requireService(acting);
  const shut = await shutDoors({ service });
  const its = shut.filter((door) => door.pupUid === pupUid);
  const fault = its.find((door) =>
    lockerName === undefined ? isBehindOfflineWall(door) : door.lockerName === lockerName,
  );
  if (!fault) return { ...preview, problem: null };
  return { ...preview, problem: formatFault(fault, (await pickUpPointOf(service, pupUid)).name) };
}

async function lastOf({ client }: Pick<AtTemporal, 'client'>, id: string) {
  try {
    const { memo } = await client.workflow.getHandle(id).describe();
    const { mechanic } = (memo ?? {}) as { readonly mechanic?: MechanicMemo };
    return { memo: mechanic };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
