// Cases as workflows on a real Temporal.
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { expect } from 'vitest';
import type { Progress } from '../../../driver/defaults.ts';
import type { Case } from './cases.ts';

export const workflows = fileURLToPath(new URL('workflows.ts', import.meta.url));

const PATIENCE_MS = 120_000;

export interface Playing {
  readonly played: Case;
  readonly handle: WorkflowHandle;
  readonly seen: string[][];
}

export async function begin(client: Client, taskQueue: string, played: Case): Promise<Playing> {
  const handle = await client.workflow.start('Case', {
    taskQueue,
    workflowId: `${played.name}-${randomUUID()}`,
    args: [played.document],
    // Where a worker goes in the middle of a task, the next one has it soon.
    workflowTaskTimeout: '2 s',
  });
  return { played, handle, seen: [] };
}

/** The states before the first event. */
export async function see({ handle, seen }: Playing): Promise<void> {
  seen.push(leavesOf((await standingOf(handle)).value).sort());
}

/** Its next event, when the time has come, and the states after it. */
export async function playOne(playing: Playing, index: number): Promise<void> {
  const { played, handle } = playing;
  const next = played.script.events[index];
  if (!next) return;
  await timePasses(handle, next.after ?? 0);
  const { name, data } = next.event;
  await handle.signal(name, ...(data === undefined ? [] : [{ data }])).catch(() => undefined);
  await see(playing);
}

/** Of a case of the W3C only the end tells. */
export async function playToEnd(playing: Playing): Promise<void> {
  await playing.handle.result();
  await see(playing);
}

/**
 * So long, and until no timer is due, nor will soon be: a timer that was late on a busy machine sets the next one of its chain
 * late too.
 */
async function timePasses(handle: WorkflowHandle, milliseconds: number): Promise<void> {
  if (milliseconds === 0) return;
  await setTimeout(milliseconds);
  const isDue = async () => {
    const { timers } = (await standingOf(handle)).awaits;
    // After the answer, which a worker that has just begun may give late.
    const soon = new Date(Date.now() + milliseconds / 2).toISOString();
    return timers.some(({ until }) => until <= soon);
  };
  await expect.poll(isDue, { timeout: PATIENCE_MS, interval: 50 }).toBe(false);
}

/** A worker that was killed in the middle of a question answers none. */
async function standingOf(handle: WorkflowHandle): Promise<Progress> {
  const end = Date.now() + PATIENCE_MS;
  for (;;)
    try {
      return await handle.query<Progress>('progress');
    } catch (error) {
      if (Date.now() > end) throw error;
      await setTimeout(50);
    }
}

/** The states that have no other in them, by their ids. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value.replaceAll('$', '.')];
  return Object.entries(value as object).flatMap(([state, inner]) => {
    const leaves = leavesOf(inner);
    return leaves.length > 0 ? leaves : [state.replaceAll('$', '.')];
  });
}
