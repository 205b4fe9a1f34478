// The simulated walls in the matrix. They have no sign-in: what protects them is that another site's page cannot call them,
// nor another name for their address.
import { ProtocolPeer } from '../../service/simulated-wall/protocol-peer.ts';
import { newTestWalls } from '../../service/simulated-wall/start-walls.ts';
import { wallRoutes } from '../expected-routes.ts';
import {
  ANOTHER_SITE,
  answered,
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

export async function wallServer(stack: AsyncDisposableStack): Promise<MatrixServer> {
  const peer = stack.use(new ProtocolPeer());
  const walls = stack.use(await newTestWalls(await peer.listen()));
  const { routes } = await registeredRoutes(() => walls.start(), tellReached);
  const { address } = walls;
  const isRefused = ({ reached }: { readonly reached: string | undefined }) => reached === undefined;
  const rowOf = (registered: RegisteredRoute): Row => {
    const route = nameOf(registered);
    const { method, url } = registered;
    const asked: MatrixRequest = { method, path: pathOf(url, { pupUid: 'pup-1' }), body: '{}' };
    const otherWall: MatrixRequest = { ...asked, path: pathOf(url, { pupUid: 'pup-of-another' }) };
    const foreign: MatrixRequest =
      method === 'POST'
        ? { ...asked, headers: ANOTHER_SITE }
        : { ...asked, headers: { host: 'evil.example' } };
    return {
      route,
      access: 'open',
      cells: {
        'no credentials': cell(address, route, TAKEN, asked),
        ...(url.includes(':pupUid') && { 'another wall': answered(address, 404, otherWall) }),
        'another site': cell(address, route, 403, foreign),
        'another spelling': spelled(address, [{ asked: foreign, isAllowed: isRefused }]),
      },
    };
  };
  return {
    registered: namesOf(routes),
    expected: Object.keys(wallRoutes),
    rows: rowsOfRoutes(routes, rowOf),
  };
}
