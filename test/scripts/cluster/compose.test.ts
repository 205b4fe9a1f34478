// docker-compose.yml and the cluster that runs without containers have the same shape, the same releases and one balancer.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { releaseOf } from '../../../scripts/cluster/programs.ts';
import { HISTORY_SHARDS, shape, temporalRoles } from '../../../scripts/cluster/shape.ts';

const service = z.object({
  image: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  command: z.array(z.string()).optional(),
  deploy: z.object({ replicas: z.number() }).optional(),
  volumes: z.array(z.string()).default([]),
});
const file = z.object({ name: z.string(), services: z.record(z.string(), service) });

const root = join(import.meta.dirname, '../../..');
const text = await readFile(join(root, 'docker-compose.yml'), 'utf8');
const { name, services } = file.parse(parse(text, { merge: true, maxAliasCount: 1_000 }));
const all = Object.values(services);

test('as many processes of each role of Temporal, on as many shards', () => {
  const ofRole = (role: string) => all.filter(({ environment }) => environment.TEMPORAL_SERVICES === role);
  expect(Object.fromEntries(temporalRoles.map((role) => [role, ofRole(role).length]))).toEqual(
    shape.temporal,
  );
  for (const role of temporalRoles)
    for (const { environment } of ofRole(role))
      expect(environment.NUM_HISTORY_SHARDS).toBe(String(HISTORY_SHARDS));
});

test('as many instances of service, receiver and worker', () => {
  const replicas = (of: string) => services[of]?.deploy?.replicas;
  expect({
    service: replicas('service'),
    receiver: replicas('receiver'),
    worker: replicas('worker'),
  }).toEqual({ service: shape.service, receiver: shape.receiver, worker: shape.worker });
});

test('the same releases', () => {
  const images = new Set(all.map(({ image }) => image));
  const release = (program: Parameters<typeof releaseOf>[0]) => releaseOf(program).replace('v', '');
  expect(releaseOf('temporalTables')).toBe(releaseOf('temporalServer'));
  expect(images).toContain(`temporalio/server:${release('temporalServer')}`);
  expect(images).toContain(`temporalio/admin-tools:${release('temporalServer')}`);
  expect(images).toContain(`temporalio/ui:${release('temporalUi')}`);
  expect(images).toContain(`caddy:${release('balancer')}`);
});

// Docker makes an empty folder of what is not there, and the container starts without its files.
test('what it mounts from the tree is there; other folders are the operator’s', () => {
  const sources = all.flatMap(({ volumes }) => volumes.map((volume) => volume.split(':/')[0] ?? ''));
  const inTree = sources.map((source) => /^(?:\$\{[A-Z_]+:-)?(\.\/[^}]*)\}?$/.exec(source)?.[1] ?? '');
  const missing = inTree.filter((path) => path !== '' && !existsSync(join(root, path)));
  expect(inTree.filter((path) => path.startsWith('./shared/telemetry/'))).toHaveLength(3);
  // Each needs a file that its operator writes, as docs/walls.md and docs/console.md say.
  expect(missing.toSorted()).toEqual(['./console-users', './walls']);
});

test('one balancer, with the same file, before every instance', () => {
  const { environment, volumes } = services.balancer ?? { environment: {}, volumes: [] };
  const instances = (of: string, count: number, port: number) =>
    Array.from({ length: count }, (_, index) => `${name}-${of}-${index + 1}:${port}`).join(' ');
  expect(environment).toEqual({
    SERVICES: instances('service', shape.service, 8080),
    RECEIVERS: instances('receiver', shape.receiver, 8090),
  });
  expect(volumes).toEqual(['./scripts/cluster/balancer/Caddyfile:/etc/caddy/Caddyfile:ro']);
});

test('workers of a version, which is made the current one', () => {
  expect(services.worker?.environment.WORKER_BUILD_ID).toMatch(/^\$\{WORKER_BUILD_ID:-\w+\}$/);
  expect(services['current-version']?.command).toContain('--current-build-id');
});
