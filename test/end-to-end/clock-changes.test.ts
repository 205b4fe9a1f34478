// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// docs/flow-files.md: Time by a calendar
// A process that goes on over two changes of the clocks in three zones, with everything real, by the clock of a staging tenant: what
// it has done is held against a second implementation of time zones.
import { randomUUID } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { expect, test, vi } from 'vitest';
import { SandboxClocks } from '../../client/sandbox-clock.ts';
import { LockerApi } from '../../shared/locker-api/index.ts';
import { patience } from './device-loans.ts';
import { credentials, ourService } from './installation.ts';
import { useInstallation } from './use-installation.ts';

const installation = useInstallation(ourService);

const zones = { amsterdam: 'Europe/Amsterdam', newYork: 'America/New_York', lordHowe: 'Australia/Lord_Howe' };
const WEEKS = 54;
const FOUR_WEEKS_MS = 28 * 86_400_000;

const region = (name: string): string => `
  ${name}:
    initial: waiting
    states:
      waiting:
        after:
          "\${instant(date(dateLater(now, 'P1W', calendars.${name}), calendars.${name}), '09:00', calendars.${name})}":
            - guard: "\${size(context.${name}) < ${WEEKS - 1}}"
              target: waiting
              reenter: true
              actions: { type: assign, params: { ${name}: "\${context.${name} + [now]}" } }
            - { target: over, actions: { type: assign, params: { ${name}: "\${context.${name} + [now]}" } } }
      over: { type: final }`;

const weekly = (flow: string): string => `
name: ${flow}
meaning: Looks in at nine in the morning, a week later each time, in three zones.
calendars: { ${Object.entries(zones)
  .map(([name, zone]) => `${name}: { zone: ${zone} }`)
  .join(', ')} }
context: { amsterdam: [], newYork: [], lordHowe: [] }
type: parallel
states:${Object.keys(zones).map(region).join('')}
output: { amsterdam: "\${context.amsterdam}", newYork: "\${context.newYork}", lordHowe: "\${context.lordHowe}" }
`;

test('a process that comes back at nine each week keeps its time in three zones over the changes of their clocks', {
  tags: 'long',
  timeout: 300_000,
}, async () => {
  const { flows, client, service } = installation();
  const name = `Weekly${randomUUID().slice(0, 8)}`;
  await flows.publish([{ path: 'weekly.flow.yaml', text: weekly(name) }]);
  const handle = await flows.startPublished(name, `weekly-${randomUUID()}`, { clock: 'sandbox' });
  await using api = new LockerApi({ apiUrl: service.address, authUrl: service.address, ...credentials });
  // It goes by the clock once it waits.
  await vi.waitUntil(async () => (await handle.progress()).waitingFor.length === 3, patience);
  const clocks = new SandboxClocks(client, (change) => api.sandboxClock(change));
  for (let passed = 0; passed <= WEEKS; passed += 4) await clocks.advance(FOUR_WEEKS_MS);
  const times = (await handle.result()) as Readonly<Record<keyof typeof zones, readonly string[]>>;
  for (const [region, zone] of Object.entries(zones)) {
    const shown = times[region as keyof typeof zones].map((at) =>
      Temporal.Instant.from(at).toZonedDateTimeISO(zone),
    );
    expect([zone, shown.length]).toEqual([zone, WEEKS]);
    expect(new Set(shown.map((at) => at.toPlainTime().toString({ smallestUnit: 'minute' })))).toEqual(
      new Set(['09:00']),
    );
    for (const [index, at] of shown.slice(1).entries())
      expect(at.toPlainDate().toString()).toBe(shown[index]?.toPlainDate().add({ days: 7 }).toString());
    // It went over both changes.
    const changes = shown.slice(1).filter((at, index) => at.offset !== shown[index]?.offset);
    expect([zone, changes.length]).toEqual([zone, 2]);
  }
});
