// Bounds the open connections of a server: those of one network, and all. Which one makes room for one more is decided here.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './network.ts';

export interface ConnectionCounts {
  /**
   * Open connections of one network, and of all. For one more, the one that is idle for longest is closed, else one whose request
   * is still on its way, else the new one.
   */
  readonly connectionsOfNetwork: number;
  readonly connections: number;
}

export function countConnections(
  server: Server,
  { connections, connectionsOfNetwork }: ConnectionCounts,
  isProxy: (address: string) => boolean,
  cut: (reason: 'connections' | 'connectionsOfNetwork', network: string) => void,
) {
  const counted = new Map<Socket, string>();
  /** Those whose requests are answered, or that have sent none, the one that is idle for longest first. */
  const idle = new Set<Socket>();
  const ofNetwork = new Map<string, number>();
  const countOf = (network: string) => ofNetwork.get(network) ?? 0;
  const count = (socket: Socket, network: string) => {
    counted.set(socket, network);
    ofNetwork.set(network, countOf(network) + 1);
    idle.add(socket);
  };
  const uncount = (socket: Socket) => {
    const network = counted.get(socket);
    if (network === undefined) return;
    counted.delete(socket);
    idle.delete(socket);
    ofNetwork.set(network, countOf(network) - 1);
    if (countOf(network) === 0) ofNetwork.delete(network);
  };
  const largest = () => [...ofNetwork].reduce((most, each) => (each[1] > most[1] ? each : most))[0];
  /** The last request of each connection that is answered, the oldest first. */
  const requests = new Map<Socket, IncomingMessage>();
  /** The connection whose request is on its way for longest: a body that never ends must not keep others out. */
  const stillSending = (isOf: (socket: Socket) => boolean): Socket | undefined =>
    [...requests].find(([socket, { complete }]) => !complete && isOf(socket))?.[0];
  /** For one more of this network. False: every connection that could be closed for it is in use. */
  const makesRoom = (network: string, address: string): boolean => {
    const isFull = counted.size >= connections;
    if (!isFull && (isProxy(address) || countOf(network) < connectionsOfNetwork)) return true;
    const of = isFull ? largest() : network;
    const isOf = (socket: Socket) => counted.get(socket) === of;
    const longest = [...idle].find(isOf) ?? stillSending(isOf);
    cut(isFull ? 'connections' : 'connectionsOfNetwork', of);
    if (!longest) return false;
    uncount(longest);
    longest.destroy();
    return true;
  };
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = networkOf(address);
    if (!makesRoom(network, address)) {
      socket.destroy();
      return;
    }
    count(socket, network);
    socket.once('close', () => uncount(socket));
  });
  const open = new WeakMap<Socket, number>();
  server.on('request', (request, response) => {
    const { socket } = request;
    requests.delete(socket);
    requests.set(socket, request);
    open.set(socket, (open.get(socket) ?? 0) + 1);
    idle.delete(socket);
    response.once('close', () => {
      const left = (open.get(socket) ?? 1) - 1;
      open.set(socket, left);
      if (left > 0) return;
      requests.delete(socket);
      if (counted.has(socket)) idle.add(socket);
    });
  });
  return { uncount };
}
