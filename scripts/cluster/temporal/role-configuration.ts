// The configuration of one process of Temporal's server: one role, on ports of its own. The processes find each other in
// the database, where each writes its address.
import { stringify } from 'yaml';
import { LOOPBACK } from '../../../local/ports.ts';
import { HISTORY_SHARDS, type TemporalRole, temporalRoles } from '../shape.ts';
import { databases } from './databases.ts';

export interface RolePorts {
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

export function configuration({ role, ports, frontend, postgresUrl }: RoleConfiguration): string {
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
