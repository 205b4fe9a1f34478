// Asks for a mechanic at a door or a wall of a process, by the connector for mechanics: what is wrong is proposed from the last try to
// open it. The process keeps it, begins the delivery, and goes on as before.
import { z } from 'zod';
import type { OutreachBegun } from '../../contract/flows/outreach.ts';
import { t } from '../../shared/texts/text.ts';
import { type CommandError, refused, wrongInput } from '../outcome.ts';
import { type CaseLocker, caseAbout, requireService } from '../outreach/case-about.ts';
import { formatFault } from '../outreach/format-fault.ts';
import { lastMechanic, type MechanicAsked } from '../outreach/mechanic-requests.ts';
import { requireConnector } from '../outreach/require-connector.ts';
import { pickUpPointOf } from '../pick-up-points.ts';
import { attributionOf, type CommandContext, requireOpen, withDeadline } from '../temporal-context.ts';
import { formatWho } from '../views/format-names.ts';
import { isBehindOfflineWall } from '../views/offline-wall.ts';
import { type Command, command, type Described } from './command.ts';
import { sentText, text } from './read-values.ts';

const input = z.strictObject({
  lockerName: text.max(200).optional().meta({
    description: 'Which of its lockers; left out: the one that stayed shut, or whose wall is offline',
  }),
  problem: sentText
    .optional()
    .meta({ description: 'What is wrong there; left out: why it could not be opened the last time' }),
});
type Input = z.infer<typeof input>;

export interface MechanicWanted {
  readonly pupUid: string;
  /** Null: the whole wall. */
  readonly lockerName: string | null;
  /** Null: nothing is known to be wrong, and somebody must say what is. */
  readonly problem: string | null;
}

export interface MechanicPreview extends MechanicWanted {
  /** The last request for the same place, whoever has asked; null: this is the first. */
  readonly asked: MechanicAsked | null;
}

const described: Described = {
  meaning: 'Asks for a mechanic at a door of a process',
  example: { problem: 'The door of locker 5 stays shut' },
  isOfOne: true,
  // The page has a form of its own for it.
  forms: {},
};

export const sendMechanic: Command<Input, MechanicPreview, OutreachBegun> & Described = {
  ...described,
  ...command<Input, MechanicPreview, OutreachBegun, string>({
    name: 'sendMechanic',
    right: 'decide',
    // What is wrong there says why.
    why: 'optional',
    input,
    flowOf: ({ client }, key) => requireOpen(client, key),
    async preview(commandContext, key, given) {
      const wanted = await readRequest(commandContext, key, given);
      return { ...wanted, asked: await lastMechanic(commandContext, wanted.pupUid, wanted.lockerName) };
    },
    async act(commandContext, key, given) {
      const { pupUid, lockerName, problem } = await readRequest(commandContext, key, given);
      if (problem === null) throw problemMissing();
      const sent = {
        pupUid,
        ...(lockerName !== null && { lockerName }),
        problem,
        ...attributionOf(commandContext),
      };
      return await withDeadline(commandContext, () => commandContext.flows.handle(key).sendMechanic(sent));
    },
    formatPreview: formatRequest,
    formatResult: () => t`the request for a mechanic is on its way`,
  }),
};

export function formatRequest({ lockerName, problem, asked }: MechanicPreview): string {
  const where = lockerName === null ? t`the wall` : t`locker ${lockerName}`;
  const first = asked ? t`; ${formatAsked(asked)}: this is another request` : '';
  return t`a mechanic is asked for at ${where}: ${problem ?? t`nothing is known to be wrong`}${first}`;
}

const formatAsked = ({ by, onBehalfOf, at }: MechanicAsked): string =>
  t`${formatWho({ by, onBehalfOf })} has asked for one there at ${at}`;

export const problemMissing = (): CommandError =>
  wrongInput(t`nothing is known to be wrong there; say what the mechanic is to mend`, {
    problem: t`is missing`,
  });

/** Throws what says why it cannot be sent. */
async function readRequest(
  commandContext: CommandContext,
  key: string,
  { lockerName, problem }: Input,
): Promise<MechanicWanted> {
  requireConnector(commandContext, 'sendMechanic');
  const { lockers } = await caseAbout(commandContext, key);
  const locker = lockerIn(key, lockers, lockerName);
  const { pupUid, fault } = locker;
  const isWall = fault !== null && isBehindOfflineWall(fault) && lockerName === undefined;
  return {
    pupUid,
    lockerName: isWall ? null : locker.lockerName,
    problem:
      problem ?? (fault && formatFault(fault, await pickUpPointOf(requireService(commandContext), pupUid))),
  };
}

/** Those with a fault come first. */
function lockerIn(key: string, lockers: readonly CaseLocker[], lockerName: string | undefined): CaseLocker {
  const found = lockers.find((each) => lockerName === undefined || each.lockerName === lockerName);
  if (found) return found;
  const names = lockers.map((each) => each.lockerName).join(', ');
  throw refused(
    'NoLocker',
    lockerName === undefined
      ? t`${key} has no locker now; a mechanic can be sent for at its wall`
      : t`${key} does not have locker ${lockerName}; it has ${names || t`none`}`,
  );
}
