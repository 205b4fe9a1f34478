// Finds cases in Temporal: by how their key begins, their case number, their shipments, what they are about, and whom they are for.
import { publishedFlows } from '../../client/flow-files/published-flows.ts';
import { KEY_NAME } from '../../flows/language/correlation.ts';
import { subjectOfItem, subjectOfKey, subjectOfPerson } from '../../flows/language/subjects.ts';
import { callTemporal } from '../../processes/temporal-context.ts';
import { flowQuery } from '../../processes/views/flow-query.ts';
import { formatFlowName } from '../../processes/views/format-names.ts';
import { type FoundFlow, foundPage } from '../../processes/views/found-flows.ts';
import { isSearchable, literal } from '../../shared/routing/owners.ts';
import type { ConsoleParts } from '../console-parts.ts';

type Parts = Pick<ConsoleParts, 'client' | 'shared' | 'taskQueue'>;

/** @param mayKnowPeople whether business data may be searched: it may be about people */
export async function findCases(
  parts: Parts,
  {
    text,
    most,
    mayKnowPeople,
  }: { readonly text: string; readonly most: number; readonly mayKnowPeople: boolean },
): Promise<readonly FoundFlow[]> {
  if (!isSearchable(text)) return [];
  const subjects = [subjectOfItem(text), ...(mayKnowPeople ? await keysWith(parts, text) : [])];
  const value = literal(text);
  const wanted = [
    `WorkflowId STARTS_WITH ${value}`,
    `LockerShipmentUids = ${value}`,
    `LockerSubjects IN ${listOf(subjects)}`,
  ];
  // Alone, a case number is found by its index; among others it is read from each of a hundred thousand rows.
  const [types, ...found] = await Promise.all([
    flowsCalled(parts, text),
    casesBy(parts, wanted.join(' OR '), most),
    casesBy(parts, `LockerCase = ${value}`, most),
  ]);
  if (types.length > 0)
    found.push(
      await casesBy(parts, `WorkflowType IN ${listOf(types)} AND ExecutionStatus = 'Running'`, most),
    );
  const all = found.flat();
  // Among many that begin so, it may not be one of the first.
  const mayBeLeftOut = all.length >= most && !all.some((flow) => isCalled(flow, text));
  if (mayBeLeftOut) all.push(...(await casesBy(parts, `WorkflowId = ${value}`, 1)));
  const each = new Map(all.map((flow) => [flow.runId, flow]));
  return exactFirst([...each.values()].sort(asListed), text).slice(0, most);
}

/** Whoever types a key means that case, and nothing that it has started. Keyboards and scanners differ in case. */
const isCalled = ({ workflowId }: FoundFlow, text: string): boolean =>
  workflowId.toLowerCase() === text.toLowerCase();

export const exactFirst = (flows: readonly FoundFlow[], text: string): FoundFlow[] => [
  ...flows.filter((flow) => isCalled(flow, text)),
  ...flows.filter((flow) => !isCalled(flow, text)),
];

/** As Temporal lists them: the open ones first, then those that ended last; of the same, those that began last. */
const asListed = (one: FoundFlow, other: FoundFlow): number =>
  Number(one.closedAt !== null) - Number(other.closedAt !== null) ||
  later(one.closedAt, other.closedAt) ||
  later(one.startedAt, other.startedAt);

const later = (one: string | null, other: string | null): number => (other ?? '').localeCompare(one ?? '');

/** Those of the shipments, and of the people. */
export async function casesOf(
  parts: Parts,
  {
    shipmentUids,
    userUids,
  }: { readonly shipmentUids: readonly string[]; readonly userUids: readonly string[] },
  most: number,
): Promise<readonly FoundFlow[]> {
  const wanted = [
    ...(shipmentUids.length > 0 ? [`LockerShipmentUids IN ${listOf(shipmentUids)}`] : []),
    ...(userUids.length > 0 ? [`LockerSubjects IN ${listOf(userUids.map(subjectOfPerson))}`] : []),
  ];
  return wanted.length === 0 ? [] : await casesBy(parts, wanted.join(' OR '), most);
}

/** Temporal lists the open ones first, then those that ended last. */
async function casesBy(
  { client, taskQueue }: Parts,
  query: string,
  most: number,
): Promise<readonly FoundFlow[]> {
  const whole = flowQuery({ query }, taskQueue);
  return (await callTemporal({ client }, () => foundPage(client, whole, { size: most }))).flows;
}

const listOf = (values: readonly string[]): string =>
  `(${values.filter(isSearchable).map(literal).join(', ')})`;

/** A title is typed in part: with fewer letters than these anything would be meant. */
const SHORTEST_TITLE = 4;

/** Published flows by their title, as in “battery recall”: somebody asks about the one that runs. */
async function flowsCalled(parts: Parts, text: string): Promise<string[]> {
  if (text.length < SHORTEST_TITLE) return [];
  const wanted = text.toLowerCase();
  const files = await filesOf(parts);
  return files.flatMap(({ file: { name, title } }) =>
    (title ?? formatFlowName(name)).toLowerCase().includes(wanted) ? [name] : [],
  );
}

/** New ones are searched by a moment later. */
const KEYS_KEPT_MS = 30_000;

/** `device=laptop-7` as it is; `laptop-7` as the value of each key by which a published flow is found. */
async function keysWith(parts: Parts, text: string): Promise<string[]> {
  const [name = '', value = ''] = text.split(/=(.*)/s);
  if (KEY_NAME.test(name) && value !== '') return [text];
  const files = await filesOf(parts);
  const names = new Set(files.flatMap(({ file }) => Object.keys(file.correlate ?? {})));
  return [...names].map((each) => subjectOfKey(each, text));
}

const filesOf = (parts: Parts) =>
  parts.shared.of('published flows', KEYS_KEPT_MS, () =>
    callTemporal(parts, () => publishedFlows(parts.client)),
  );
