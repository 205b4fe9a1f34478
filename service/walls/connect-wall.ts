// The address where walls connect: a WebSocket with the token of a wall's credentials (contract/wall).
import websocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import { LONGEST_WALL_FRAME, WALL_PATH, WALL_PROTOCOL, WALL_SCOPE } from '../../contract/index.ts';
import { ApiError } from '../api-error.ts';
import { type Authentication, authenticate } from '../token/authentication.ts';
import { WallConnection } from './connection.ts';
import { Walls, type WallsOptions } from './walls.ts';

const UPGRADE_REQUIRED = 426;

/** Of the network, or of frames that break the protocol beneath ours. */
const isOfSocket = (error: Error & { readonly code?: unknown }): boolean => typeof error.code === 'string';

export function addWalls(
  app: FastifyInstance,
  dependencies: Authentication & Omit<WallsOptions, 'log'>,
): void {
  const walls = new Walls({ ...dependencies, log: app.log });
  app.register(websocket, {
    options: {
      maxPayload: LONGEST_WALL_FRAME,
      // Compressed frames would let a small one fill the memory.
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(WALL_PROTOCOL) ? WALL_PROTOCOL : false),
    },
    errorHandler: (error, socket, request) => {
      // What a wall sends is no error of ours: its connection tells of it (connection.ts).
      if (!isOfSocket(error)) request.log.error(error);
      socket.terminate();
    },
    preClose: (done) => {
      walls.close().then(() => done(), done);
    },
  });
  app.register((scope, _options, done) => {
    scope.route({
      method: 'GET',
      url: WALL_PATH,
      onRequest: async (request, reply) => {
        request.apiClient = await authenticate(dependencies, request, reply, WALL_SCOPE);
        const offered = (request.headers['sec-websocket-protocol'] ?? '')
          .split(',')
          .map((name) => name.trim());
        if (request.ws && !offered.includes(WALL_PROTOCOL))
          throw new ApiError('InvalidRequest', `Sec-WebSocket-Protocol: must offer ${WALL_PROTOCOL}`);
      },
      handler: () => {
        throw new ApiError(
          'InvalidRequest',
          `${WALL_PATH} is a WebSocket: connect with Upgrade: websocket`,
          {},
          { status: UPGRADE_REQUIRED, headers: { upgrade: 'websocket' } },
        );
      },
      wsHandler: (socket, request) => {
        const { apiClient: client, accessToken: token } = request;
        if (!client?.wall || !token) throw new TypeError('A wall has connected without authentication');
        walls.add(new WallConnection(socket, { client, place: client.wall, token }, walls, request.log));
      },
    });
    done();
  });
}
