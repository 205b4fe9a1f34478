// Whom a process is for, what is sent, and the data that it was given and keeps. This is about people: only who may act on the
// process gets it.

import pLimit from 'p-limit';
import { publishedVersion } from '../../../client/flow-files/published-flows.ts';
import { queried } from '../../../client/queried.ts';
import { startedWith } from '../../../client/started-with.ts';
import { isBuiltIn } from '../../../contract/flows/flow-types.ts';
import { type FlowFile, mapOf } from '../../../flows/language/flow-file.ts';
import { type MarkedField, markedFields, peopleIn, peopleNowIn } from '../../../flows/language/subjects.ts';
import { operationOfWhole } from '../../../flows/language/whole-process.ts';
import { shipmentAt } from '../../../processes/locker-service.ts';
import { fullName, isUuid, textOf } from '../../../processes/views/account-names.ts';
import { formatContent, itemOfRequest } from '../../../processes/views/format-item.ts';
import { formatName } from '../../../processes/views/format-names.ts';
import { legsIn, shipmentsIn, wholeBooking } from '../../../processes/views/progress.ts';
import type { ProcessSnapshot } from '../../../processes/views/shown-process.ts';
import { t } from '../../../shared/texts/text.ts';
import type { ConsoleParts } from '../../console-parts.ts';
import { ifKnown, nameOfAccount } from '../../people.ts';
import { rowsOf, technicalRowsOf } from './data-rows.ts';
import { inputsOfParts } from './inputs-of-parts.ts';
import type { DataGroup, PartSubject, PersonShown, ProcessSubject } from './overview-view.ts';

type Parts = Pick<ConsoleParts, 'client' | 'service'>;

/** @param elsewhere the other case that has its item, if one has */
export async function subjectOf(
  parts: Parts,
  snapshot: ProcessSnapshot,
  elsewhere?: ProcessSnapshot,
): Promise<ProcessSubject> {
  const { process } = snapshot;
  const { key, runId, flow, progress } = process;
  const whole = progress ? wholeBooking(progress) : undefined;
  const { input } = await startedWith(parts.client, key, runId);
  const request = mapOf(mapOf(input).request);
  const [{ context, batches }, { people, item }] = await Promise.all([
    // A built-in flow is given the request of its operation, and keeps nothing beside.
    isBuiltIn(flow) ? NOTHING_MORE : toldInFull(parts, process),
    aboutOf(parts, flow, request, progress, peopleNow(snapshot)),
  ]);
  const names = await namesAsked(parts, progress);
  const result = whole ? null : process.result;
  const groups: DataGroup[] = [
    { title: t`Started with`, rows: rowsOf(request) },
    { title: t`What it keeps`, rows: rowsOf(context) },
    { title: t`Result`, rows: rowsOf(mapOf(result)) },
    { title: t`Technical`, isTechnical: true as const, rows: technicalRowsOf(request) },
  ];
  const many = await partsOf(parts, process, { input: request, context, batches });
  const theirs = new Set(many.flatMap((part) => part.people.flatMap(({ userUid }) => userUid ?? [])));
  const isOneBooking = whole !== undefined || isBuiltIn(flow);
  const isElsewhere = elsewhere !== undefined || (process.status === 'Running' && !isOneBooking);
  const holder = isElsewhere ? await holderOf(parts, elsewhere) : people[0];
  return {
    people: theirs.size > 1 && people.every(isOneOf(theirs)) ? [manyPeople(theirs.size)] : people,
    item,
    data: groups.filter(({ rows }) => rows.length > 0),
    parts: many,
    names,
    holder: holder ?? null,
  };
}

const isOneOf =
  (userUids: ReadonlySet<string>) =>
  ({ userUid }: PersonShown): boolean =>
    userUid !== null && userUids.has(userUid);

const manyPeople = (count: number): PersonShown => ({
  role: t`For`,
  name: t`${count} people`,
  userUid: null,
});

/** Whom the other case is for. */
async function holderOf(
  parts: Parts,
  elsewhere: ProcessSnapshot | undefined,
): Promise<PersonShown | undefined> {
  if (!elsewhere) return undefined;
  const { key, runId, flow, progress } = elsewhere.process;
  const { input } = await startedWith(parts.client, key, runId);
  const request = mapOf(mapOf(input).request);
  const { people } = await aboutOf(parts, flow, request, progress, peopleNow(elsewhere));
  return people[0];
}

/** What the shipments are called whose uids a flow writes into its questions. */
async function namesAsked(parts: Parts, progress: Progress): Promise<ProcessSubject['names']> {
  const texts = (progress?.questions ?? []).map(({ question }) => question);
  const uids = shipmentsIn(progress ?? { bookings: [] }).map(({ shipment }) => shipment.shipmentUid);
  const asked = uids.filter((uid) => texts.some((text) => text.includes(uid)));
  const named = asked.map(async (uid) => {
    const record = await shipmentOf(parts, uid);
    return { uid, name: textOf(record?.description) ?? textOf(record?.referenceNo) ?? t`the item` };
  });
  return await Promise.all(named);
}

/** As they would be started, for those that have not begun, too. */
async function partsOf(
  parts: Parts,
  { key, flow, progress }: ProcessSnapshot['process'],
  given: { readonly input: Data; readonly context: Data; readonly batches: Batches },
): Promise<PartSubject[]> {
  if (given.batches.length === 0) return [];
  const published = await publishedVersion(parts.client, flow, progress?.version);
  if (!published) return [];
  const limit = pLimit(PARTS_AT_ONCE);
  const all = inputsOfParts(published.file, given).map(({ id, type, title, request }) =>
    limit(async () => {
      const { people, item } = await aboutOf(parts, type, request, null);
      return { id, key: `${key}/${id}`, people, item: item ?? title ?? null };
    }),
  );
  return await Promise.all(all);
}

const PARTS_AT_ONCE = 8;

/**
 * What is one booking, as a built-in flow or a copy of one, is given what its operation takes; another file says itself which fields
 * are people and items.
 */
async function aboutOf(
  parts: Parts,
  flow: string,
  request: Data,
  progress: Progress,
  now?: PeopleNow,
): Promise<About> {
  if (isBuiltIn(flow) || flow === 'book' || (progress && wholeBooking(progress)))
    return await aboutOfBooking(parts, request, progress);
  const published = await publishedVersion(parts.client, flow, progress?.version);
  // It does not answer, has not begun to book, or is a part that has not begun.
  if (published && operationOfWhole(published.file)) return await aboutOfBooking(parts, request, progress);
  return await aboutOfFile(parts, { file: published?.file, request, progress, now });
}

/** Undefined: the process has not said yet whom it is about. */
type PeopleNow = readonly string[] | undefined;

/** As lists have them, and whoever writes to them. */
function peopleNow({ process: { status }, described }: ProcessSnapshot): PeopleNow {
  const subjects = [described.searchAttributes.LockerSubjects ?? []].flat().map(String);
  return peopleIn(subjects).length === 0 ? undefined : peopleNowIn(subjects, status === 'Running');
}

type Batches = NonNullable<NonNullable<Progress>['batches']>;

interface ToldInFull {
  readonly context: Data;
  readonly batches: Batches;
}

const NOTHING_MORE: ToldInFull = { context: {}, batches: [] };

type Data = Readonly<Record<string, unknown>>;

async function toldInFull(
  { client }: Parts,
  { key, runId }: ProcessSnapshot['process'],
): Promise<ToldInFull> {
  try {
    const handle = client.workflow.getHandle(key, runId);
    const ask = () => handle.query('progress', { context: true });
    const answer = await queried({ client }, ask, ANSWER_WITHIN_MS);
    const { context, batches = [] } = mapOf(answer);
    return { context: mapOf(context), batches: batches as Batches };
  } catch {
    // No worker answers: the page says so elsewhere.
    return NOTHING_MORE;
  }
}

const ANSWER_WITHIN_MS = 5_000;

type About = Pick<ProcessSubject, 'people' | 'item'>;

type Progress = ProcessSnapshot['process']['progress'];

/** By the fields of its operation. The shipments know best: a receiver may have been set later. */
async function aboutOfBooking(parts: Parts, request: Data, progress: Progress): Promise<About> {
  const onboarded = textOf(mapOf(mapOf(progress).account).userUid);
  if (onboarded !== null) return { people: [await personOf(parts, t`For`, onboarded)], item: null };
  const [first] = progress ? legsIn(progress) : [];
  const record = first && (await shipmentOf(parts, first.shipment.shipmentUid));
  const { role, uid, account } = personMeant(request, first && { role: first.role, record });
  const name = fullName(account);
  const unknown = name ? [{ role, name, userUid: null }] : [];
  const people = uid === null ? unknown : [await personOf(parts, role, uid)];
  return { people, item: formatContent(record) ?? itemOfRequest(request) };
}

interface FirstShipment {
  readonly role: string;
  readonly record: { readonly fromUserUid: string | null; readonly toUserUid: string | null } | undefined;
}

/** The receiver, or of a return and while there is none, the sender, unless that is the dispatcher. */
export function personMeant(request: Data, first: FirstShipment | undefined) {
  const isReturn = first?.role === 'intake';
  // Another flow may have given the stock to somebody since. Who collects stays, and is named in the request, unless it is the desk.
  const isAsBooked = first?.role === 'stock' || first?.role === 'collect';
  const toUserUid = first?.record && !isAsBooked ? first.record.toUserUid : request.toUserUid;
  const receiver = textOf(toUserUid);
  const isForReceiver = !isReturn && (receiver !== null || (!first?.record && request.toUser !== undefined));
  if (isForReceiver) return { role: t`For`, uid: receiver, account: mapOf(request.toUser) };
  const sender = textOf(request.fromUserUid);
  const known = isReturn || request.fromUser !== undefined ? first?.record?.fromUserUid : null;
  return { role: t`From`, uid: known ?? sender, account: mapOf(request.fromUser) };
}

interface OfFile {
  readonly file: FlowFile | undefined;
  readonly request: Data;
  readonly progress: Progress;
  readonly now: PeopleNow;
}

/** By what its author has marked in the `input` of its own version, and by its bookings. */
async function aboutOfFile(parts: Parts, { file, request, progress, now }: OfFile): Promise<About> {
  const fields = [...markedFields(file?.input, request)];
  const booked = fields.length === 0 && progress && progress.bookings.length > 0 ? progress : null;
  const ofBooking = booked && (await aboutOfBooking(parts, {}, booked));
  if (ofBooking && !now) return ofBooking;
  const marked = fields.filter(({ isPerson }) => isPerson);
  const roleOf = (userUid: string): string => {
    const field = marked.find(({ value }) => value === userUid);
    if (!field) return progress && isReturn(progress) ? t`From` : t`For`;
    // One alone is whom it is for, where its field says no more.
    const isAnybody = marked.length === 1 && textOf(field.title) === null && anybody.has(field.name);
    return isAnybody ? t`For` : labelOfField(field);
  };
  const userUids = (now ?? marked.map(({ value }) => value)).slice(0, MAX_PEOPLE);
  const item = fields.find(({ isItem }) => isItem);
  const record = item && (await shipmentOf(parts, item.value));
  return {
    people: await Promise.all(userUids.map((userUid) => personOf(parts, roleOf(userUid), userUid))),
    item: ofBooking?.item ?? formatContent(record) ?? (item && !isUuid(item.value) ? item.value : null),
  };
}

/** What it books now, or has booked last, somebody brings. */
function isReturn({ bookings }: NonNullable<Progress>): boolean {
  const latest = bookings.findLast(({ activity }) => activity !== 'Ended') ?? bookings.at(-1);
  return latest?.legs[0]?.role === 'intake';
}

const MAX_PEOPLE = 2;
/** A borrower is called one. */
const anybody: ReadonlySet<string> = new Set([
  'user',
  'userUid',
  'person',
  'account',
  'receiver',
  'recipient',
]);

const labelOfField = ({ name, title }: MarkedField): string =>
  textOf(title) ?? formatName(name.replace(/Uid$/, ''));

async function personOf(parts: Parts, role: string, userUid: string): Promise<PersonShown> {
  return { role, name: await nameOfAccount(parts, userUid), userUid };
}

const shipmentOf = ({ service }: Parts, shipmentUid: string) =>
  ifKnown(() => shipmentAt(service, shipmentUid));
