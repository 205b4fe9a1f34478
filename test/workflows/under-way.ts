// A built-in flow under way in virtual time: its booking is answered.
import { expect } from 'vitest';
import type { Role } from '../../contract/flows/flow-input.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import type { Booked } from '../../flows/booking/activities.ts';
import { Outside } from './outside.ts';
import { Playing } from './playing.ts';
import { requestOf, type Story, stories } from './stories.ts';

export const storyOf = (flow: string): Story => stories.find((story) => story.flow === flow) as Story;

interface UnderWayOptions {
  readonly isBare?: boolean;
  readonly outside?: Outside;
  /** Fields of the request that are not the story's. */
  readonly request?: object;
  /** Further fields of the input. */
  readonly input?: object;
  readonly change?: (booked: Booked) => Booked;
  /** Whether what the outside reports reaches the flow. */
  readonly subscribes?: boolean;
}

export async function underWay(
  flow: string,
  {
    isBare = false,
    outside = new Outside({ isBare }),
    request,
    input,
    change,
    subscribes = false,
  }: UnderWayOptions = {},
): Promise<{ outside: Outside; playing: Playing }> {
  const { book } = outside.activities;
  if (change) outside.activities.book = async (asked) => change(await book(asked));
  const whole = { ...(await requestOf(storyOf(flow), outside)), ...request };
  const playing = new Playing(flow, { request: whole, ...input }, outside.activities);
  if (subscribes) outside.deliver = async (report) => playing.receive(report);
  await playing.answer();
  return { outside, playing };
}

/** A day for each stage of every role. */
export const deadlines = Object.fromEntries(
  ['shipment', 'issue', 'intake', 'stock', 'circularStock', 'collect'].map((role) => [
    role,
    { dropOff: 'P1D', receiver: 'P1D', pickUp: 'P1D' },
  ]),
);

export type States = Partial<Record<Role, StateCode>>;

export const statesOf = (outside: Outside): States =>
  Object.fromEntries([...outside.roles].map(([role, uid]) => [role, outside.stateOf(uid)]));

export const asks = (playing: Playing, type: string, payload: object): void =>
  playing.send({ type, payload, updateId: 'u1' });

export const resolves = (playing: Playing, decision: object): void =>
  asks(playing, 'resolve', { by: 'ada', why: 'looked', ...decision });

export function refuses(playing: Playing, type: string, payload: unknown, why: string): void {
  expect(playing.can(type, payload)).toBe(false);
  expect(playing.refusal(type, payload)).toContain(why);
}

export const supersedes = (playing: Playing, shipmentUid: unknown): void =>
  playing.send({ type: 'superseded', payload: { shipmentUid, byWorkflowId: 'other' } });

export async function cancels(playing: Playing): Promise<void> {
  playing.send({ type: 'cancelRequested' });
  await playing.answer();
}
