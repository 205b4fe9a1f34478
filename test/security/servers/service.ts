// The service in the matrix: a wall with its token, and another tenant, who sends what the first tenant would send.
import { z } from 'zod';
import { type OperationName, operationNames, operationRow, TOKEN_PATH } from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { sandboxRoutes } from '../../../service/sandbox/sandbox.ts';
import type { Database } from '../../../service/storage/database.ts';
import { accessToken } from '../../support/caller.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { wallOf } from '../../support/wall.ts';
import { newWall } from '../../support/walls/new-wall.ts';
import { wallToken } from '../../support/walls/test-wall.ts';
import { productionRoutes, stagingRoutes } from '../expected-routes.ts';
import {
  type Answer,
  accessIn,
  answered,
  type Cell,
  cell,
  type MatrixRequest,
  type MatrixServer,
  namesOf,
  pathOf,
  type Row,
  rowsOfRoutes,
  spelled,
  TAKEN,
  tellReached,
} from '../matrix.ts';
import { nameOf, type RegisteredRoute, registeredRoutes } from '../registered-routes.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
/** The same claims, signed by nobody. */
const forgedFrom = (token: string) => token.replace(/[^.]*$/, (signature) => 'A'.repeat(signature.length));

const tables = { staging: stagingRoutes, production: productionRoutes } as const;

export const serviceServer =
  (mode: keyof typeof tables) =>
  async (stack: AsyncDisposableStack): Promise<MatrixServer> => {
    const serviceRoutes = tables[mode];
    const { server: service, routes } = await registeredRoutes(
      () => createTestService({ mode }),
      tellReached,
    );
    const { address } = stack.use(service);
    const others = await accessToken(address, 'other');
    const walls = await wallToken(address, await newWall(service.url, 'demo', 'pup-central'));
    const demo = await whatDemoHas(service);
    const needs =
      (...accesses: readonly string[]) =>
      ({ reached }: Answer): boolean =>
        reached === undefined || accesses.includes(accessIn(serviceRoutes, reached) ?? 'unknown');
    const rowOf = (registered: RegisteredRoute): Row => {
      const route = nameOf(registered);
      const { method, url } = registered;
      const asked: MatrixRequest = { method, path: pathOf(url, { version: '1' }), body: '{}' };
      const access = accessIn(serviceRoutes, route) ?? 'tenant';
      if (access === 'nobody') {
        const path = asked.path.replace('/sandbox/x', '/sandbox/clock');
        const byTenant = { ...asked, method: method === '*' ? 'GET' : method, path, headers: bearer(others) };
        return {
          route,
          access,
          cells: {
            'no credentials': answered(address, method === '*' ? 403 : 401, { ...byTenant, headers: {} }),
            'wrong role': answered(address, 403, byTenant),
          },
        };
      }
      if (access === 'open') {
        const headers = url === TOKEN_PATH ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
        return {
          route,
          access,
          cells: { 'no credentials': cell(address, route, TAKEN, { ...asked, headers }) },
        };
      }
      const [own, wrong] = access === 'wall' ? [walls, others] : [others, walls];
      const byWrong = { ...asked, headers: bearer(wrong) };
      return {
        route,
        access,
        cells: {
          'no credentials': cell(address, route, 401, asked),
          'wrong credentials': cell(address, route, 401, { ...asked, headers: bearer(forgedFrom(own)) }),
          'wrong role': cell(address, route, 401, byWrong),
          ...(access === 'tenant' &&
            method !== 'HEAD' && {
              'token of another tenant': asAnotherTenant(service, demo, others, registered),
            }),
          'another spelling': spelled(address, [
            { asked: byWrong, isAllowed: needs('open', access === 'wall' ? 'tenant' : 'wall') },
          ]),
        },
      };
    };
    return {
      registered: namesOf(routes),
      expected: Object.keys(serviceRoutes),
      rows: rowsOfRoutes(routes, rowOf),
    };
  };

interface DemoHas {
  /** By the name of a field: what the other tenant names. */
  readonly named: Readonly<Record<string, string>>;
  /** What the other tenant never names, and must not learn. */
  readonly secrets: readonly string[];
}

async function whatDemoHas({ address }: TestService): Promise<DemoHas> {
  const demo = await wallOf(address);
  const [shipmentUid] = await demo.book('CreateLocalShipmentAsStock');
  const { shipmentObjectUid } = await demo.ok('AddShipmentObject', { shipmentUid, details: {} });
  const [secretUid] = await demo.book('CreateLocalShipment');
  const secret = 'a reference that only demo knows';
  const details = { description: secret, referenceNo: secret, referenceCaseNo: secret };
  await demo.ok('SetShipmentDetails', { shipmentUid: secretUid, ...details });
  return {
    named: {
      shipmentUid,
      priorShipmentUid: shipmentUid,
      swapsShipmentUid: shipmentUid,
      shipmentObjectUid: String(shipmentObjectUid),
      pupUid: 'pup-central',
      bookedPupUid: 'pup-central',
      pickUpPointUid: 'pup-central',
      lockerUid: 'pup-central-1',
      userUid: 'user-anna',
    },
    secrets: [secretUid, secret, 'pup-station', 'user-bram', 'Visser'],
  };
}

const UNKNOWN = 'unknown-uid';
const NOTHING = 'nothing';

/**
 * Another tenant sends what demo would send. It learns nothing that demo has, the answer is the one for uids that nobody
 * has, and nothing of demo changes. (Field by field: test/service/shipments/other-tenants.test.ts, and accounts.)
 */
function asAnotherTenant(
  service: TestService,
  { named, secrets }: DemoHas,
  token: string,
  registered: RegisteredRoute,
): Cell {
  const request = requestTo(registered);
  const fields = Object.keys(request).filter((field) => field in named);
  const send = (uidOf: (field: string) => string | undefined) => {
    const uids = Object.fromEntries(fields.map((field) => [field, uidOf(field)]));
    return sent(service.address, token, registered, { ...request, ...uids });
  };
  return {
    expected: NOTHING,
    async happened() {
      const before = await rowsOf(service);
      const toForeign = await send((field) => named[field]);
      const secret = secrets.find((each) => toForeign.includes(each));
      if (secret !== undefined) return `tells ${secret}: ${toForeign}`;
      const toUnknown = fields.length === 0 ? toForeign : await send(() => UNKNOWN);
      const words = fields.reduce((text, field) => text.replaceAll(named[field] ?? '', UNKNOWN), toForeign);
      if (words !== toUnknown) return `${toForeign}, but for an unknown uid ${toUnknown}`;
      const after = new Set(await rowsOf(service));
      const changed = before.find((row) => !after.has(row));
      return changed === undefined ? NOTHING : `changes ${changed}`;
    },
  };
}

/** By uid: the example asks by the e-mail address, by which every tenant finds an account. */
const byUid: Partial<Record<OperationName, object>> = {
  GetAccount: { userUid: '' },
  // A tenant reads in it what it has asked itself.
  GetAuditLog: { pageNo: 1, pageSize: 100 },
};

/** A valid request, with the fields that name something of a tenant. */
function requestTo({ method, url }: RegisteredRoute): object {
  const name = operationNames.find((each) => operationRow(each).path === url);
  if (name) {
    const isByShipment = 'shipmentUid' in operationRow(name).request.shape;
    return byUid[name] ?? { ...examples[name].request, ...(isByShipment && { shipmentUid: '' }) };
  }
  const route = sandboxRoutes.find((each) => each.path === url && each.method === method);
  if (!route) throw new TypeError(`${method} ${url} is neither an operation nor of the sandbox`);
  if (route.path.endsWith('/resend')) return { shipmentUid: '' };
  const known = route.input instanceof z.ZodObject ? Object.keys(route.input.shape) : [];
  const filters = ['pupUid', 'shipmentUid'].filter((field) => method === 'GET' && known.includes(field));
  return { ...(route.example as object), ...Object.fromEntries(filters.map((field) => [field, ''])) };
}

async function sent(
  address: string,
  token: string,
  { method, url }: RegisteredRoute,
  body: object,
): Promise<string> {
  const query = method === 'GET' ? `?${new URLSearchParams(body as Record<string, string>)}` : '';
  const answer = await fetch(`${address}${url}${query}`, {
    method,
    headers: { 'content-type': 'application/json', ...bearer(token) },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  });
  return `${answer.status} ${await answer.text()}`;
}

/** What demo has in the tables, each row as text. */
async function rowsOf({ database }: TestService): Promise<string[]> {
  const tables = ['shipments', 'shipment_events', 'shipment_objects', 'access_codes', 'lockers', 'accounts'];
  const rows = await Promise.all(
    (tables as (keyof Database)[]).map(async (table) =>
      (await database.selectFrom(table).selectAll().execute()).map(
        (row) => `${table} ${JSON.stringify(row)}`,
      ),
    ),
  );
  return rows.flat().filter((row) => !OF_THE_OTHER.test(row));
}

/** Of the demo data; it has no shipments. */
const OF_THE_OTHER = /"(?:pup-other-\d+|user-olga|main-other)"/;
