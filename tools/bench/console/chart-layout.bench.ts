// How long the layout of each built-in flow's chart takes, in milliseconds of processor time. The console lays a chart out once
// for all processes of its flow and version. `--limit 200` exits with 1 if one takes longer.
import { parseArgs } from 'node:util';
import { drawingOfFlow } from '../../../docs/flow-charts.ts';
import { layoutOf } from '../../../driver/chart/layout.ts';
import { charts } from '../../../workflows/charts.ts';
import { printTable } from '../table.ts';

const ROUNDS = 7;

const { values } = parseArgs({ options: { limit: { type: 'string', default: '200' } } });
const limitMs = Number(values.limit);

async function layoutMs(flow: string): Promise<number> {
  const chart = charts[flow];
  if (!chart) throw new TypeError(`there is no chart of ${flow}`);
  const drawing = drawingOfFlow(chart);
  const times: number[] = [];
  // The first one loads the layouter.
  await layoutOf(drawing);
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    await layoutOf(drawing);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return Math.min(...times);
}

const rows: { readonly flow: string; readonly ms: number }[] = [];
for (const flow of Object.keys(charts)) rows.push({ flow, ms: await layoutMs(flow) });
printTable(rows.map(({ flow, ms }) => ({ flow, ms: ms.toFixed(0) })));
if (rows.some(({ ms }) => ms > limitMs)) process.exitCode = 1;
