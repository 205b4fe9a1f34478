// A schedule that is resumed starts processes in the place of whoever resumes it: so that takes the right to start them.
import { expect, test } from 'vitest';
import { scheduleCommands } from '../../../processes/commands/start.ts';

function actingAs(...rights: string[]) {
  const told: string[] = [];
  const described = {
    action: {},
    state: { paused: true },
    info: { nextActionTimes: [], recentActions: [] },
  };
  const schedule = {
    describe: async () => described,
    pause: async (note: string) => told.push(`pause ${note}`),
    unpause: async (note: string) => told.push(`unpause ${note}`),
  };
  const acting = {
    by: 'shop',
    why: 'the desk is open again',
    may: (right: string, flow = '') => rights.includes(right) || rights.includes(`${right} ${flow}`),
    client: {
      withDeadline: (_: number, ask: () => Promise<unknown>) => ask(),
      schedule: { getHandle: () => schedule },
    },
  } as unknown as Parameters<(typeof scheduleCommands)['resume']['do']>[0];
  return { acting, told };
}

test('a schedule is resumed only by who may start its flow, and paused without that', async () => {
  for (const rights of [['publish'], ['publish', 'start Other']]) {
    const { acting, told } = actingAs(...rights);
    expect(await scheduleCommands.resume.do(acting, 'Desk/weekly', {})).toMatchObject({
      done: false,
      refusal: {
        kind: 'forbidden',
        code: 'NotAllowed',
        message: 'shop may resume Desk/weekly only with the right to start Desk',
      },
    });
    expect(await scheduleCommands.pause.do(acting, 'Desk/weekly', {})).toMatchObject({ done: true });
    expect(told).toEqual(['pause shop: the desk is open again']);
  }
  const { acting, told } = actingAs('publish', 'start Desk');
  expect(await scheduleCommands.resume.do(acting, 'Desk/weekly', {})).toMatchObject({ done: true });
  expect(told).toEqual(['unpause shop: the desk is open again']);
});
