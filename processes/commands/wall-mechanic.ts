// A request for a mechanic at a wall or at a door that no process has.
import { z } from 'zod';
import { type MechanicMemo, mechanicSubjects, type OutreachBegun } from '../../contract/flows/outreach.ts';
import { t } from '../../shared/texts/text.ts';
import { type CommandError, refused } from '../outcome.ts';
import { beginWithoutCase, deliveryIdOf } from '../outreach/begin-without-case.ts';
import { requireService } from '../outreach/case-about.ts';
import { formatFault } from '../outreach/format-fault.ts';
import { lastMechanic } from '../outreach/mechanic-requests.ts';
import { requireConnector } from '../outreach/require-connector.ts';
import { pickUpPointOf } from '../pick-up-points.ts';
import { attributionOf, type CommandContext } from '../temporal-context.ts';
import { isBehindOfflineWall } from '../views/offline-wall.ts';
import { shutDoors } from '../views/shut-doors.ts';
import { command } from './command.ts';
import { sentText, text } from './read-values.ts';
import { formatRequest, type MechanicPreview, type MechanicWanted, problemMissing } from './send-mechanic.ts';

const input = z.strictObject({
  lockerName: text.max(200).optional().meta({ description: 'Of the locker; left out: the wall as a whole' }),
  problem: sentText
    .optional()
    .meta({ description: 'What is wrong there; left out: why it could not be opened the last time' }),
  request: text.max(255).optional(),
});
type Input = z.infer<typeof input>;

/** The same request again, by its id, is the same one; another one waits until the other side has the first. */
export const sendMechanicToWall = command<Input, MechanicPreview, OutreachBegun, string>({
  name: 'sendMechanic',
  right: 'decide',
  // What is wrong there says why.
  why: 'optional',
  input,
  flowOf: async () => null,
  async preview(commandContext, pupUid, given) {
    const wanted = await readRequest(commandContext, pupUid, given);
    return { ...wanted, asked: await lastMechanic(commandContext, pupUid, wanted.lockerName) };
  },
  async act(commandContext, pupUid, given) {
    const { lockerName, problem } = await readRequest(commandContext, pupUid, given);
    if (problem === null) throw problemMissing();
    const who = attributionOf(commandContext);
    const fields = { pupUid, ...(lockerName !== null && { lockerName }), problem, ...who };
    const memo: MechanicMemo = { pupUid, lockerName, problem, key: null, ...who };
    return await beginWithoutCase(
      commandContext,
      deliveryIdOf([pupUid, lockerName]),
      { kind: 'sendMechanic', fields },
      {
        request: given.request,
        memo: ['mechanic', memo],
        subjects: mechanicSubjects(pupUid),
        isUnderWay: alreadyAsked,
      },
    );
  },
  formatPreview: formatRequest,
  formatResult: () => t`the request for a mechanic is on its way`,
});

const alreadyAsked = (by: string): CommandError =>
  refused(
    'AlreadyAsked',
    t`${by} has asked for a mechanic there already, and the other side does not have it yet: it is tried again`,
  );

async function readRequest(
  commandContext: CommandContext,
  pupUid: string,
  { lockerName, problem }: Input,
): Promise<MechanicWanted> {
  requireConnector(commandContext, 'sendMechanic');
  const preview = { pupUid, lockerName: lockerName ?? null };
  if (problem !== undefined) return { ...preview, problem };
  const service = requireService(commandContext);
  const shut = await shutDoors({ service });
  const its = shut.filter((door) => door.pupUid === pupUid);
  const fault = its.find((door) =>
    lockerName === undefined ? isBehindOfflineWall(door) : door.lockerName === lockerName,
  );
  if (!fault) return { ...preview, problem: null };
  return { ...preview, problem: formatFault(fault, await pickUpPointOf(service, pupUid)) };
}
