// The processes of Temporal's server as components: each has one role. The first one starts alone on a new database.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Component } from '../../components/components.ts';
import { programComponent } from '../../components/program.ts';
import { freePort, isListening, LOOPBACK } from '../../ports.ts';
import { HISTORY_SHARDS, shape, type TemporalRole, temporalRoles } from '../options.ts';
import { databases } from './databases.ts';

interface TemporalRoles {
  readonly home: string;
  readonly server: string;
  readonly postgresUrl: () => string;
  /** The ports of the frontend; the others take any free ones. */
  readonly frontendPort: number;
  /** Called when the frontend takes calls; the others may not be up yet. */
  readonly onceAnswering: () => Promise<void>;
}

export async function roleComponents(wanted: TemporalRoles): Promise<Component[]> {
  const components: Component[] = [];
  for (const role of temporalRoles)
    for (let number = 1; number <= shape.temporal[role]; number += 1)
      components.push(await rolePart(role, number, wanted));
  return components;
}

async function rolePart(role: TemporalRole, number: number, wanted: TemporalRoles): Promise<Component> {
  const { home, server, postgresUrl, frontendPort, onceAnswering } = wanted;
  const isFrontend = role === 'frontend';
  const ports: RolePorts = {
    grpc: isFrontend ? frontendPort : await freePort(),
    membership: await freePort(),
    metrics: await freePort(),
  };
  const frontend = `${LOOPBACK}:${frontendPort}`;
  const folder = `temporal-${role}-${number}`;
  return programComponent({
    name: `Temporal ${role}${shape.temporal[role] > 1 ? ` ${number}` : ''}`,
    home,
    ports: isFrontend ? { TEMPORAL_PORT: ports.grpc } : {},
    async command() {
      await mkdir(join(home, folder), { recursive: true });
      // It holds the password of the database.
      const text = configuration({ role, ports, frontend, postgresUrl: postgresUrl() });
      await writeFile(join(home, folder, 'base.yaml'), text, { mode: 0o600 });
      const at = ['--root', home, '--config', folder, '--allow-no-auth'];
      return { program: server, args: [...at, 'start', '--service', role] };
    },
    // The role that works for Temporal itself takes no calls.
    isReady: () => isListening(role === 'worker' ? ports.membership : ports.grpc),
    line: `${LOOPBACK}:${ports.grpc}, metrics http://${LOOPBACK}:${ports.metrics}/metrics`,
    ...(isFrontend && { afterStart: onceAnswering }),
  });
}

// The configuration of one process of Temporal's server: one role, on ports of its own. The processes find each other in
// the database, where each writes its address.

interface RolePorts {
  /** Where it takes calls. */
  readonly grpc: number;
  /** Where it talks with the others about who lives. */
  readonly membership: number;
  readonly metrics: number;
}

// Nine of these stay far below the cluster's max_connections.
const CONNECTIONS = 20;
const VISIBILITY_CONNECTIONS = 10;

interface RoleConfiguration {
  readonly role: TemporalRole;
  readonly ports: RolePorts;
  /** Where the frontend takes calls. */
  readonly frontend: string;
  readonly postgresUrl: string;
}

function configuration({ role, ports, frontend, postgresUrl }: RoleConfiguration): string {
  const cluster = 'active';
  return stringify({
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: HISTORY_SHARDS,
      datastores: {
        default: { sql: store(postgresUrl, databases.temporal, CONNECTIONS) },
        visibility: { sql: store(postgresUrl, databases.visibility, VISIBILITY_CONNECTIONS) },
      },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: LOOPBACK },
      metrics: { prometheus: { timerType: 'histogram', listenAddress: `${LOOPBACK}:${ports.metrics}` } },
    },
    services: Object.fromEntries(temporalRoles.map((each) => [each, { rpc: rpc(each === role, ports) }])),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: cluster,
      currentClusterName: cluster,
      clusterInformation: {
        [cluster]: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: frontend },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
  });
}

function store(postgresUrl: string, databaseName: string, maxConns: number) {
  const { host, username, password } = new URL(postgresUrl);
  return {
    pluginName: 'postgres12',
    databaseName,
    connectAddr: host,
    connectProtocol: 'tcp',
    user: username,
    password: decodeURIComponent(password),
    maxConns,
    maxIdleConns: maxConns,
    maxConnLifetime: '1h',
  };
}

/** The ports of roles in another process are not read; but the server wants each role named. */
const rpc = (isOwn: boolean, { grpc, membership }: RolePorts) => ({
  grpcPort: isOwn ? grpc : 0,
  membershipPort: isOwn ? membership : 0,
  bindOnIP: LOOPBACK,
});
