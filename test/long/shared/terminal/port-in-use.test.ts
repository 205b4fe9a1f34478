// Each program that listens, where another one has its port: it ends as for a wrong setting, and says in one line which port
// it is and with which setting it is changed. The programs run as people start them.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listeningPrograms } from '../../../support/processes/listening-programs.ts';
import { nodeProgramOfTest } from '../../../support/processes/node-program.ts';

let other: Server;
let port: string;
beforeAll(async () => {
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  port = String((other.address() as AddressInfo).port);
});
afterAll(() => void other.close());

test.each<[name: string, setting: string, program: keyof typeof listeningPrograms]>([
  ['lockerflow-service', 'SERVICE_PORT', 'service'],
  ['lockerflow-service', 'SERVICE_METRICS_ADDRESS', 'service'],
  ['lockerflow-receiver', 'CALLBACK_PORT', 'receiver'],
  ['lockerflow-receiver', 'CALLBACK_METRICS_ADDRESS', 'receiver'],
  ['lockerflow-worker', 'WORKER_PORT', 'worker'],
  ['lockerflow-worker', 'WORKER_METRICS_ADDRESS', 'worker'],
  ['lockerflow-console', 'CONSOLE_PORT', 'console'],
  ['lockerflow-wall', 'WALL_PORT', 'wall'],
  ['lockerflow', 'CODEC_SERVER_PORT', 'codecServer'],
])(
  '%s names the port and %s',
  async (name, setting, program) => {
    const { entry, variables } = listeningPrograms[program];
    const child = nodeProgramOfTest(entry.split(' '), {
      variables: {
        ...(await variables()),
        [setting]: setting.endsWith('_ADDRESS') ? `127.0.0.1:${port}` : port,
      },
    });
    expect([await child.exitCode, child.err()]).toEqual([
      1,
      `${name}: Port ${port} is in use: end the program that uses it, or set ${setting} to another\n`,
    ]);
  },
  300_000,
);
