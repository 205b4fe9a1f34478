// GetPickUpPointUse (assumptions: Operating): held lockers by size and hour, refusals and times in the locker, over real HTTP
// and on a tenant's own clock.
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestService } from '../../support/service.ts';
import { writtenByService } from '../../support/service-command.ts';
import { useInFile } from '../../support/use.ts';
import { wallOf } from '../../support/wall.ts';

const service = useInFile(() => createTestService());
const demo = useInFile(() => wallOf(service.address));
beforeEach(() => demo.sandbox('POST', 'reset'));

interface Use {
  readonly since: string;
  readonly until: string;
  readonly sizes: readonly { size: string; lockerCount: number }[];
  readonly hours: readonly { hour: string; size: string; held: number }[];
  readonly refusals: readonly { hour: string; size: string | null; refused: number }[];
  readonly timeInLocker: { itemCount: number; p50Seconds: number | null; p95Seconds: number | null };
}

const useOf = async (filter: object = {}) =>
  (await demo.ok('GetPickUpPointUse', { pupUid: 'pup-central', ...filter })) as unknown as Use;
const advance = (duration: string) => demo.sandbox('POST', 'clock', { advance: duration });
const heldIn = ({ hours }: Use, size: string) =>
  hours.filter((each) => each.size === size).map(({ held }) => held);

// assumptions: Operating, GetPickUpPointUse
describe('GetPickUpPointUse', () => {
  test('tells for each hour how many lockers of a size were held, until they are free again', async () => {
    const [first] = await demo.book('CreateLocalShipmentAsIssue');
    const [second] = await demo.book('CreateLocalShipmentAsIssue');
    await advance('PT3H');
    await demo.cancel(first);
    await demo.cancel(second);
    await advance('PT5H');
    const use = await useOf();
    expect(use.sizes.find(({ size }) => size === 'M')?.lockerCount).toBeGreaterThan(2);
    const held = heldIn(use, 'M');
    // Whenever in an hour it began: the first and the last hour are parts, and the two between are whole.
    expect(held.reduce((sum, each) => sum + each, 0)).toBeCloseTo(6, 0);
    expect(held.filter((each) => each === 2)).toHaveLength(2);
    expect(use.hours.every(({ hour }) => hour >= use.since && hour < use.until)).toBe(true);
  });

  test('counts a locker that is still held up to now, and not beyond', async () => {
    await demo.book('CreateLocalShipmentAsIssue');
    await advance('PT2H');
    const held = heldIn(await useOf(), 'M');
    expect(held.length).toBeLessThanOrEqual(3);
    expect(held.at(-1)).toBe(1);
    const { since } = await useOf();
    expect(
      heldIn(
        await useOf({ since, until: new Date(`${since}Z`).toISOString().replace(/T.*/, 'T23:59:59Z') }),
        'M',
      ),
    ).toEqual([]);
  });

  test('counts the bookings that found no locker, by the smallest size that fits', async () => {
    const dimension = { width: 30, height: 20, length: 30 };
    let free = (await useOf()).sizes.find(({ size }) => size === 'M')?.lockerCount ?? 0;
    while (free-- > 0) await demo.book('CreateLocalShipmentAsIssue', { allowLargerLockers: false });
    expect((await useOf()).refusals).toEqual([]);
    const request = { pupUid: 'pup-central', toUserUid: 'user-anna', allowLargerLockers: false };
    for (const _ of [1, 2, 3])
      await demo.refuses(
        'CreateLocalShipmentAsIssue',
        {
          ...request,
          allowOverflowLockers: false,
          dimension,
        },
        'NoLockerAvailable',
      );
    const tooBig = { width: 900, height: 900, length: 900 };
    await demo.refused('CreateLocalShipmentAsIssue', {
      ...request,
      allowOverflowLockers: false,
      dimension: tooBig,
    });
    expect((await useOf()).refusals).toEqual([{ hour: expect.any(String), size: 'M', refused: 3 }]);
  });

  test('tells how long items were in their lockers, also where one was swapped for another', async () => {
    const [issue, intake] = await demo.book('CreateLocalShipmentAsIssueAndSwapIntake');
    await demo.drop(issue);
    await advance('PT2H');
    await demo.pick(issue);
    await advance('PT10H');
    await demo.pick(intake);
    const { timeInLocker } = await useOf();
    expect(timeInLocker.itemCount).toBe(2);
    expect((timeInLocker.p50Seconds ?? 0) / 3_600).toBeCloseTo(2, 1);
    expect((timeInLocker.p95Seconds ?? 0) / 3_600).toBeCloseTo(10, 1);
  });

  test('refuses a time without length or of more than 31 days', async () => {
    const ask = (since: string, until: string) =>
      demo.refused('GetPickUpPointUse', { pupUid: 'pup-central', since, until });
    expect(await ask('2026-03-02T00:00:00Z', '2026-03-01T00:00:00Z')).toMatchObject({
      ...{ status: 400, error: 'InvalidRequest' },
      message: 'since: must be before until',
    });
    expect((await ask('2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z')).message).toMatch(/at most 31 days/);
  });

  test('the command line tells the same', async () => {
    await demo.book('CreateLocalShipmentAsIssue');
    await advance('PT2H');
    const written = await writtenByService(['pick-up-point', 'use', 'demo', 'pup-central'], {
      DATABASE_URL: service.url,
      SERVICE_ENCRYPTION_KEY: process.env.SERVICE_ENCRYPTION_KEY,
    });
    expect(written).toMatch(/size +lockers +held in the fullest hour +refused/);
    expect(written).toMatch(/^M +\d+ +1 +0$/m);
  });
});
