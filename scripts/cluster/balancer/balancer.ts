// The balancer before the services and the receivers, as a component. Its Caddyfile is also the one of docker-compose.yml.
import { join } from 'node:path';
import type { Component } from '../../components/component.ts';
import { programComponent } from '../../components/program.ts';
import { isListening, LOOPBACK } from '../../ports.ts';

interface Balanced {
  readonly home: string;
  readonly program: string;
  readonly servicePort: number;
  readonly callbackPort: number;
  readonly services: readonly number[];
  readonly receivers: readonly number[];
}

export function balancerComponent(balanced: Balanced): Component {
  const { home, program, servicePort, callbackPort, services, receivers } = balanced;
  return programComponent({
    name: 'Balancer',
    home,
    ports: { SERVICE_PORT: servicePort, CALLBACK_PORT: callbackPort },
    command: () => ({
      program,
      args: ['run', '--adapter', 'caddyfile', '--config', join(import.meta.dirname, 'Caddyfile')],
      env: {
        BALANCER_HOST: LOOPBACK,
        BALANCER_HOME: join(home, 'balancer'),
        SERVICE_PORT: String(servicePort),
        CALLBACK_PORT: String(callbackPort),
        SERVICES: addresses(services),
        RECEIVERS: addresses(receivers),
      },
    }),
    isReady: async () => (await isListening(servicePort)) && (await isListening(callbackPort)),
    line: `services http://${LOOPBACK}:${servicePort}, receivers http://${LOOPBACK}:${callbackPort}/callbacks`,
  });
}

const addresses = (ports: readonly number[]): string => ports.map((port) => `${LOOPBACK}:${port}`).join(' ');
