// The processes of Temporal's server as components: each has one role. The first one starts alone on a new database.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Component } from '../../../local/components/component.ts';
import { programComponent } from '../../../local/components/program.ts';
import { freePort, isListening, LOOPBACK } from '../../../local/ports.ts';
import { shape, type TemporalRole, temporalRoles } from '../shape.ts';
import { configuration, type RolePorts } from './role-configuration.ts';

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
