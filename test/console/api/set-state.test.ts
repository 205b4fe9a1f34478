// A person says what state a shipment is in, and the locker service has it otherwise: what comes after that state begins there alone.
import { beforeAll, expect, test } from 'vitest';
import type { ProcessDetails } from '../../../console/process/process-view.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { issueRequest, useConsoleOf } from '../console-world.ts';
import { clientsOf, keyOf, type Program, pathOfProcess, processesOf } from './program.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
let program: Program;
beforeAll(async () => {
  program = await clientsOf(server, installation)('shop', 'flows:read', 'flows:decide', 'flows:start');
});

test('is refused where the locker service has it otherwise, and done if that is said', async () => {
  const key = keyOf('said');
  await program.post('/v1/processes', { flow: 'Issue', key, request: issueRequest });
  const { until } = processesOf(() => program);
  await until(key, ({ progress }) => progress?.bookings.some(({ shipments }) => shipments.issue) ?? false);
  const path = pathOfProcess(key, '/commands/setState');
  const said = { role: 'issue', stateCode: 'Completed', why: 'he has it already' };
  const refused = { code: 'OtherAtService', detail: expect.stringContaining('say so by hand') };
  expect(await program.post(path, said)).toMatchObject({ status: 409, body: refused });
  expect((await program.post(`${path}?dryRun=true`, said)).body).toMatchObject({
    refusal: { code: 'OtherAtService' },
  });
  // The page asks for it, and has what is to be said instead.
  const { body } = await program.get<ProcessDetails>(pathOfProcess(key, '/details'));
  const form = body.actionForms.find(({ command }) => command === 'setState');
  expect(form?.fields.at(-1)).toMatchObject({ name: 'evenIfOther', kind: 'yesNo', suggested: 'no' });
  expect(body.actionForms.map(({ id }) => id)).toContainEqual(expect.stringMatching(/^byHand:/));

  expect((await program.post(path, { ...said, evenIfOther: true })).status).toBe(200);
  await until(key, ({ status }) => status === 'Completed');
});
