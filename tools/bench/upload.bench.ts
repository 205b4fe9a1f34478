// How long other requests wait while 100,000 account suggestions are imported (goal: 99 of 100 under 250 ms), and how
// long the import takes. Requests start at fixed moments, whether or not the ones before are answered.
import { setTimeout as delay } from 'node:timers/promises';
import { utils, write } from '@e965/xlsx';
import { suggestionColumns } from '../../contract/operations/account-suggestions.ts';
import { type LocalService, startLocalService } from './local-service.ts';
import { percentile, printTable } from './table.ts';

const ROWS = 100_000;
const REQUESTS_PER_SECOND = 40;
const IDLE_SECONDS = 10;

const account = {
  emailAddress: 'bench@example.com',
  firstName: 'A',
  lastName: 'B',
  pickUpPointUid: 'pup-central',
};
const dimension = { width: 10, height: 10, length: 10 };
const booking = { pupUid: 'pup-central', fromUserUid: 'user-anna', toUserUid: 'user-bram', dimension };

/** One after the other, over and over: two that read, one that writes, one that books a locker and frees it. */
const others: readonly ((service: LocalService) => Promise<unknown>)[] = [
  ({ call }) => call('GetAccount', { userUid: 'user-anna' }),
  ({ call }) => call('GetPickUpPoints', { pageNo: 1, pageSize: 10, includeDetails: true }),
  ({ call }) => call('CreateOrGetAccount', { ...account, mutationConfig: { canChangeAddress: true } }),
  async ({ call }) => {
    const permissions = { allowLargerLockers: true, allowOverflowLockers: true };
    const { shipmentUid } = await call('CreateLocalShipment', { ...booking, ...permissions });
    await call('CancelShipment', { shipmentUid });
  },
];

/** The waiting times, in milliseconds, of the requests that started while the work was under way. */
async function waitsDuring(service: LocalService, work: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  const waits: number[] = [];
  const answered: Promise<void>[] = [];
  const begin = performance.now();
  for (let index = 0; !isOver; index += 1) {
    const due = begin + (index * 1_000) / REQUESTS_PER_SECOND;
    await delay(Math.max(0, due - performance.now()));
    const request = others[index % others.length]?.(service);
    answered.push(Promise.resolve(request).then(() => void waits.push(performance.now() - due)));
  }
  await Promise.all([over, ...answered]);
  return waits;
}

const rows = Array.from({ length: ROWS }, (_, row) => [
  `resident${row}@example.com`,
  `+316${10_000_000 + row}`,
  'nl-NL',
  `First ${row}`,
  `Last ${row}`,
  `Remark of row ${row}`,
  'pup-central',
]);

function workbook(bookType: 'xlsx'): Uint8Array<ArrayBuffer> {
  const book = utils.book_new(utils.aoa_to_sheet([[...suggestionColumns], ...rows], { dense: true }));
  return new Uint8Array(write(book, { type: 'buffer', bookType, compression: true }));
}
const csv = (all: readonly (readonly string[])[]) =>
  [suggestionColumns, ...all].map((cells) => cells.join(';')).join('\r\n');

const files: readonly (readonly [what: string, content: string | Uint8Array<ArrayBuffer>])[] = [
  ['CSV', csv(rows)],
  ['XLSX', workbook('xlsx')],
  ['CSV, every row wrong', csv(rows.map(([emailAddress = '', , ...rest]) => [emailAddress, '06', ...rest]))],
];

await using service = await startLocalService();
const table = [await measured('nothing else', () => delay(IDLE_SECONDS * 1_000))];
for (const [what, content] of files) {
  const form = new FormData();
  form.append('data', '{}');
  form.append('file', new File([content], 'residents'));
  table.push(
    await measured(what, async () => {
      const { totalCount } = await service.call('UploadAccountSuggestions', form);
      if (totalCount !== ROWS) throw new Error(`Expected ${ROWS} rows, was told ${totalCount}`);
    }),
  );
}
printTable(table);

async function measured(what: string, work: () => Promise<void>) {
  const begin = performance.now();
  let took = 0;
  const waits = await waitsDuring(
    service,
    work().then(() => {
      took = performance.now() - begin;
    }),
  );
  return {
    meanwhile: what,
    'took s': (took / 1_000).toFixed(1),
    'other requests': waits.length,
    'p50 ms': percentile(waits, 0.5).toFixed(0),
    'p99 ms': percentile(waits, 0.99).toFixed(0),
    'max ms': Math.max(...waits).toFixed(0),
  };
}
