// Ended shipments by the hundred thousand: copies of those that the service itself has written, with all that belongs to
// them, under new ids, spread over the year before. Every index and every constraint takes part.
import { query } from './query.ts';

/** Far above the ids that the service has given. */
const APART = 10_000_000;
/** So many copies of each in one statement. */
const AT_ONCE = 10;

/** Which rows belong to the shipments that are copied. */
const tables = {
  shipments: 'shipment_id in (select shipment_id from copied)',
  shipment_events: 'shipment_id in (select shipment_id from copied)',
  locker_accesses: 'shipment_id in (select shipment_id from copied)',
  locker_uses: 'held_until is not null',
  audit_log: 'uids[1] in (select shipment_uid from copied)',
} as const;
type Table = keyof typeof tables;
const names = Object.keys(tables) as Table[];

/** Keeps the rows of all shipments that have ended as the pattern; gives how many shipments. */
export async function keepPattern(url: string): Promise<number> {
  await query(
    url,
    `create table copied as select shipment_id, shipment_uid from shipments where state_code = 'Completed'`,
  );
  for (const table of names)
    await query(url, `create table ${patternOf(table)} as select * from ${table} where ${tables[table]}`);
  await query(url, 'analyze');
  const [row] = await query<{ count: string }>(url, 'select count(*) as count from copied');
  return Number(row?.count);
}

const patternOf = (table: Table): string => `pattern_of_${table}`;

/** One copy of the pattern for each number; the later ones are younger, as their ids say. */
export async function copy(url: string, from: number, to: number): Promise<void> {
  for (const table of names) {
    const columns = await columnsOf(url, table);
    const values = columns.map((column) => copyOf(column, from, to)).join(', ');
    const wanted = columns.map(({ name }) => name).join(', ');
    for (let first = from; first <= to; first += AT_ONCE)
      await query(
        url,
        `insert into ${table} (${wanted}) select ${values}
         from generate_series(${first}, ${Math.min(to, first + AT_ONCE - 1)}) as k, ${patternOf(table)} order by k`,
      );
  }
  await query(url, 'vacuum (analyze)');
}

/** Mean bytes of a row of each table: of those that were played, and of the copies. */
export async function rowBytes(url: string): Promise<Record<Table, { played: number; copied: number }>> {
  const of = async (table: Table) => {
    const mean = async (rows: string) => {
      const [row] = await query<{ bytes: string }>(
        url,
        `select avg(pg_column_size(r.*)) as bytes from (${rows}) as r`,
      );
      return Number(row?.bytes);
    };
    const copied = `select * from ${table} where ${isCopy[table]} limit 20000`;
    return [table, { played: await mean(`select * from ${patternOf(table)}`), copied: await mean(copied) }];
  };
  return Object.fromEntries(await Promise.all(names.map(of)));
}

const isCopy = {
  shipments: `shipment_id > ${APART}`,
  shipment_events: `shipment_id > ${APART}`,
  locker_accesses: `shipment_id > ${APART}`,
  locker_uses: `use_id > (select max(use_id) from pattern_of_locker_uses)`,
  audit_log: `audit_id > (select max(audit_id) from pattern_of_audit_log)`,
} as const satisfies Record<Table, string>;

interface Column {
  readonly name: string;
  readonly type: string;
}

async function columnsOf(url: string, table: string): Promise<Column[]> {
  const columns = await query<Column & { identity: string }>(
    url,
    `select column_name as name, data_type as type, is_identity as identity from information_schema.columns
     where table_schema = 'public' and table_name = '${table}' order by ordinal_position`,
  );
  return columns.filter(({ identity }) => identity !== 'YES');
}

/** As long as the original. */
function copyOf({ name, type }: Column, from: number, to: number): string {
  const before = `(${to} - k + 1) * interval '1 year' / ${to - from + 1}`;
  if (name === 'shipment_id' || name === 'chain_id') return `${name} + k * ${APART}`;
  if (name === 'shipment_uid') return uidOf(name, before);
  if (name === 'uids')
    return `array(select case when uid ~ '${UID}' then ${uidOf('uid', before)} else uid end
      from unnest(uids) with ordinality as each (uid, place) order by place)`;
  if (/^reference/.test(name))
    return `left(${name}, greatest(length(${name}) - 7, 0)) || lpad(k::text, 7, '0')`;
  if (type.startsWith('timestamp')) return `${name} - ${before}`;
  return name;
}

const UID = '^[0-9a-f]{8}-[0-9a-f]{4}-7';

/** The service's uids begin with the milliseconds since 1970, so that their index grows at its end. */
const uidOf = (uid: string, before: string): string =>
  `(lpad(to_hex(('x' || translate(left(${uid}, 13), '-', ''))::bit(48)::bigint
     - (extract(epoch from ${before}) * 1000)::bigint), 12, '0')
    || '7' || substr(translate(${uid}, '-', ''), 14))::uuid::text`;
