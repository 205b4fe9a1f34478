// From a door's opening to the pixel that shows it, on a list of 200 open processes, with everything real. Measured from
// before the request that opens the door to the frame after the one in which the row says so.
import { setTimeout as delay } from 'node:timers/promises';
import { percentile, printTable } from '../table.ts';
import { ROWS_ON_A_PAGE, startConsoleInstallation } from './console-installation.ts';

const OPENINGS = 100;

await using installation = await startConsoleInstallation(ROWS_ON_A_PAGE);
const { service, booked } = installation;
const { page, firstView } = await installation.openList();
const rows = page.locator('tbody tr', { hasText: 'to be dropped off' });
await rows.nth(ROWS_ON_A_PAGE - 1).waitFor();

/** The instant of the frame after the one in which the row says so. */
const seen = (key: string) =>
  page.evaluate<number>(`new Promise((resolve) => {
    const row = document.querySelector('tr[data-key="${key}"]');
    const look = () => {
      if (!row.textContent.includes('to be picked up')) return;
      observer.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(Date.now())));
    };
    const observer = new MutationObserver(look);
    observer.observe(row, { childList: true, subtree: true, characterData: true });
  })`);

const took: number[] = [];
for (const [key, shipmentUid] of booked.slice(0, OPENINGS)) {
  const seeing = seen(key);
  // The page has begun to look, and the openings come at no fixed moment between two searches.
  await delay(50 + Math.random() * 200);
  const before = Date.now();
  await service.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
  took.push((await seeing) - before);
}
printTable([
  {
    'open processes': booked.length,
    openings: OPENINGS,
    'p50 ms': Math.round(percentile(took, 0.5)),
    'p95 ms': Math.round(percentile(took, 0.95)),
    'most ms': Math.round(Math.max(...took)),
    'first view ms': Math.round(firstView),
  },
]);
