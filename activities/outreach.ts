// The activity behind the workflow OutreachDelivery: it reads at the service how the person is reached, and hands the message to its
// connector. Names and addresses are in no history.
import { ApplicationFailure } from '@temporalio/activity';
import { formatAttribution } from '../contract/flows/attribution.ts';
import type {
  AddressKind,
  Outreach,
  OutreachKind,
  OutreachResult,
  OutreachSettings,
} from '../contract/flows/outreach.ts';
import type { Response } from '../contract/operations/operations.ts';
import type { ActivityDependencies, OutreachDependencies } from './activity-dependencies.ts';
import { ActivityHeartbeat } from './activity-heartbeat.ts';
import type { MechanicRequest, OutgoingMessage } from './connectors/outreach-channel.ts';
import { callOrFail } from './operation-call.ts';

type Dependencies = Pick<ActivityDependencies, 'api' | 'serviceProfile' | 'outreach'>;

/** Throws ApplicationFailure. */
export async function deliverOutreach(dependencies: Dependencies, given: Outreach): Promise<OutreachResult> {
  using _heartbeat = new ActivityHeartbeat();
  const answer =
    given.kind === 'message'
      ? await sendMessage(dependencies, given)
      : await sendMechanic(dependencies, given);
  return { at: new Date().toISOString(), answer };
}

/** What a worker with these delivers: its batches refuse the rest. */
export const deliveredBy = ({ outreach }: Pick<ActivityDependencies, 'outreach'>): OutreachSettings => ({
  message: outreach?.message ? 'a connector' : null,
  sendMechanic: outreach?.sendMechanic ? 'a connector' : null,
  address: outreach?.address ?? 'none',
});

type Of<Kind extends OutreachKind> = Extract<Outreach, { readonly kind: Kind }>;

async function sendMessage(dependencies: Dependencies, outreach: Of<'message'>): Promise<string> {
  const { outreach: reach } = dependencies;
  const { to: userUid, text } = outreach.fields;
  if (!reach?.message) throw notConfigured('MESSAGE_CONNECTOR');
  const account = await callOrFail(dependencies, 'GetAccount', { userUid });
  const to = contactOf(userUid, account);
  requireAddress(to, reach.address);
  return await reach.message({ ...baseOf(outreach, reach), title: 'About your locker', text, to });
}

function contactOf(userUid: string, account: Response<'GetAccount'>): OutgoingMessage['to'] {
  const { firstName, lastName, emailAddress, phoneNumber, languageCode } = account;
  const name = [firstName, lastName].filter(Boolean).join(' ') || null;
  return { userUid, name, emailAddress, phoneNumber, languageCode };
}

const missing: Readonly<
  Record<AddressKind, { readonly field: 'emailAddress' | 'phoneNumber'; readonly words: string } | null>
> = {
  email: { field: 'emailAddress', words: 'an e-mail address' },
  phone: { field: 'phoneNumber', words: 'a phone number' },
  none: null,
};

/** It may have been there when the message was taken. */
function requireAddress(to: OutgoingMessage['to'], address: AddressKind): void {
  const needed = missing[address];
  if (needed === null || to[needed.field]) return;
  throw ApplicationFailure.nonRetryable(
    `the account of the person does not have ${needed.words}`,
    'NoAddress',
  );
}

async function sendMechanic(dependencies: Dependencies, outreach: Of<'sendMechanic'>): Promise<string> {
  const { outreach: reach } = dependencies;
  if (!reach?.sendMechanic) throw notConfigured('MECHANIC_CONNECTOR');
  const { pupUid, lockerName = null, problem, why = null } = outreach.fields;
  const name = await nameOfPickUpPoint(dependencies, pupUid);
  const base = baseOf(outreach, reach);
  const at = lockerName === null ? name : `locker ${lockerName} of ${name}`;
  const lines = [
    `A mechanic is needed at ${at}.`,
    `What is wrong: ${problem}`,
    why && `Why: ${why}`,
    `Asked for by ${base.by}.`,
    base.link,
  ];
  return await reach.sendMechanic({
    ...base,
    title: `A mechanic is needed at ${at}`,
    text: lines.filter(Boolean).join('\n'),
    pickUpPoint: { pupUid, name },
    lockerName,
    problem,
    why,
  } satisfies MechanicRequest);
}

/** The uid where the service does not tell. */
async function nameOfPickUpPoint(dependencies: Dependencies, pupUid: string): Promise<string> {
  try {
    const request = { pageNo: 1, pageSize: 1, pupUid } as const;
    const { items } = await callOrFail(dependencies, 'GetPickUpPoints', request);
    return items.find((each) => each.pupUid === pupUid)?.name ?? pupUid;
  } catch (error) {
    if (error instanceof ApplicationFailure) return pupUid;
    throw error;
  }
}

function baseOf({ id, key, fields }: Outreach, { consoleUrl }: OutreachDependencies) {
  const page =
    key === null ? `walls/${encodeURIComponent(fields.pupUid ?? '')}` : `process/${encodeURIComponent(key)}`;
  return {
    id,
    key,
    by: formatAttribution(fields),
    link: consoleUrl === null ? null : `${consoleUrl}/${page}`,
  };
}

/** It is tried again, and comes to a worker that has it. */
const notConfigured = (setting: string): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'OutreachNotConfigured',
    message: `the worker has no ${setting}; set it for every worker of the task queue, and restart them`,
  });
